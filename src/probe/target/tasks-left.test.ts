import { expect, test } from 'vitest';
import { SecretValues } from '../../client/secrets/secret-values.ts';
import { MemoryDisk } from '../../state/memory-disk.test-support.ts';
import { ProbeLog } from '../log/probe-log.ts';
import { TaskJournal } from '../tasks/task-journal.ts';
import type { TaskIntent } from '../tasks/task-line.ts';
import { freshMetrics, probeOf, samples, targetOf } from '../watch/watch-bench.test-support.ts';
import { tasksLeft } from './target-view.ts';

const AT = Date.UTC(2027, 0, 15, 10, 30);
const VIDEO = probeOf({ name: 'video', api: 'video', model: 'lumen-video', task_timeout_ms: 900_000 });
const TARGET = targetOf({ probes: [VIDEO] });

function intentOf(id: string): TaskIntent {
  return {
    ...{ id, target: 'main', probe: 'video', api: 'video', model: 'lumen-video' },
    ...{ intended_ms: AT, deadline_ms: AT + 900_000, size: '1280x720', quality: null, seconds: 5 },
  };
}

/** A daemon that starts on what the disk holds. */
async function started(disk: MemoryDisk) {
  const said: string[] = [];
  const sink = { write: (line: string) => said.push(line) > 0 };
  const log = new ProbeLog({ sink, secrets: new SecretValues(), level: 'warn', now: () => AT });
  const metrics = freshMetrics();
  const journal = await TaskJournal.open('/state/tasks.ndjson', { disk, writeFailed: () => undefined });
  const left = await tasksLeft({ log, metrics }, TARGET, journal);
  return { journal, left, said, metrics };
}

test('a task that the last process left is followed; one that the gateway had not named is told as lost, once', async () => {
  const disk = new MemoryDisk();
  const { journal } = await started(disk);
  await journal.intend(intentOf('a'));
  await journal.intend(intentOf('b'));
  const named = {
    task_id: 'task_1',
    call_id: 'c/1',
    logical_id: '1',
    scenario: 'main/video',
    accepted_ms: AT,
  };
  await journal.accepted('a', named);

  const killed = disk.after({ kind: 'kill' });
  const second = await started(killed);
  expect(second.left).toEqual([{ ...intentOf('a'), ...named }]);
  expect(second.said).toEqual([expect.stringContaining('task lost')]);
  expect(await samples(second.metrics, 'weighbridge_probe_tasks_total')).toEqual([
    expect.stringMatching(/final="lost".* 1$/),
  ]);

  const third = await started(killed.after({ kind: 'kill' }));
  expect(third.left).toEqual(second.left);
  expect(third.said).toEqual([]);
});

test('without a journal nothing was left', async () => {
  const log = new ProbeLog({
    sink: { write: () => true },
    secrets: new SecretValues(),
    level: 'silent',
    now: () => AT,
  });
  expect(await tasksLeft({ log, metrics: freshMetrics() }, TARGET, null)).toEqual([]);
});
