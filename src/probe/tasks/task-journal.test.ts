import { expect, test } from 'vitest';
import { MemoryDisk } from '../../state/memory-disk.test-support.ts';
import { TaskJournal, type TaskJournalOptions } from './task-journal.ts';
import type { AcceptedTask, TaskIntent } from './task-line.ts';

const FILE = '/state/tasks.ndjson';
const AT = Date.UTC(2027, 0, 15, 10, 30);

function taskOf(id: string): TaskIntent {
  return {
    id,
    target: 'main',
    probe: 'video',
    api: 'video',
    model: 'lumen-video',
    intended_ms: AT,
    deadline_ms: AT + 900_000,
    size: '1280x720',
    quality: null,
    seconds: 5,
  };
}

function acceptedAs(task_id: string, accepted_ms: number): AcceptedTask {
  return { task_id, call_id: `c/${task_id}`, logical_id: task_id, scenario: 'main/video', accepted_ms };
}

async function open(disk = new MemoryDisk(), options: TaskJournalOptions = {}) {
  const failures: string[] = [];
  const writeFailed = ({ code }: { code: string }) => failures.push(code);
  return { journal: await TaskJournal.open(FILE, { disk, writeFailed, ...options }), disk, failures };
}

/** As a new process finds it. */
const reopened = (disk: MemoryDisk) => open(disk.after({ kind: 'power', kept: 0 }));

test('an accepted task is polled further by the next process', async () => {
  const { journal, disk } = await open();
  await journal.intend(taskOf('a'));
  expect(journal.open()).toEqual([]);
  await journal.accepted('a', acceptedAs('task_1', AT + 5));
  const held = { ...taskOf('a'), ...acceptedAs('task_1', AT + 5) };
  expect(journal.open()).toEqual([held]);
  const after = await reopened(disk);
  expect(after.journal.open()).toEqual([held]);
  expect(after.journal.lost()).toEqual([]);
  await after.journal.closed('a', 'completed');
  expect((await reopened(after.disk)).journal.open()).toEqual([]);
});

test('the intent is on the disk before the request may be sent', async () => {
  const { journal, disk } = await open();
  await journal.intend(taskOf('a'));
  expect((await reopened(disk)).journal.lost()).toEqual([taskOf('a')]);
});

test('an intent without an id is lost to the next process, until it is closed, and never made again', async () => {
  const { journal, disk } = await open();
  await journal.intend(taskOf('a'));
  expect(journal.lost()).toEqual([]);
  const second = await reopened(disk);
  expect(second.journal.lost()).toEqual([taskOf('a')]);
  expect(second.journal.open()).toEqual([]);
  await expect(second.journal.intend(taskOf('a'))).rejects.toMatchObject({ code: 'task_known' });
  const third = await reopened(second.disk);
  expect(third.journal.lost()).toHaveLength(1);
  await third.journal.closed('a', 'lost');
  expect(third.journal.lost()).toEqual([]);
  const last = await reopened(third.disk);
  expect(last.journal.lost()).toEqual([]);
  await expect(last.journal.intend(taskOf('a'))).rejects.toMatchObject({ code: 'task_known' });
});

test('one run has one task, whatever state that is in', async () => {
  const { journal } = await open();
  const known = { code: 'task_known' };
  const twice = await Promise.allSettled([journal.intend(taskOf('a')), journal.intend(taskOf('a'))]);
  expect(twice.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
  await journal.accepted('a', acceptedAs('task_1', AT));
  await expect(journal.intend(taskOf('a'))).rejects.toMatchObject(known);
  await journal.closed('a', 'failed');
  await expect(journal.intend(taskOf('a'))).rejects.toMatchObject(known);
  await journal.closed('a', 'completed');
  await expect(journal.accepted('a', acceptedAs('task_2', AT))).rejects.toThrow(RangeError);
  expect(journal.open()).toEqual([]);
});

test('an intent that cannot be written is refused, so that nothing is sent', async () => {
  const { journal, disk, failures } = await open();
  disk.fails = (step) => step === 'sync';
  await expect(journal.intend(taskOf('a'))).rejects.toMatchObject({ code: 'state_unwritable' });
  expect(failures).toEqual(['state_unwritable']);
  disk.fails = () => false;
  await journal.intend(taskOf('a'));
});

test('an id that cannot be written is polled here, and reaches the file with the next line', async () => {
  const { journal, disk } = await open();
  await journal.intend(taskOf('a'));
  disk.fails = (step) => step === 'write';
  await journal.accepted('a', acceptedAs('task_1', AT));
  expect(journal.open()).toHaveLength(1);
  expect((await reopened(disk)).journal.lost()).toHaveLength(1);
  disk.fails = () => false;
  await journal.intend(taskOf('b'));
  expect((await reopened(disk)).journal.open()).toMatchObject([{ id: 'a', task_id: 'task_1' }]);
});

test('closed tasks are compacted away; open and lost ones and the last ids stay', async () => {
  const first = await open();
  await first.journal.intend(taskOf('lost'));
  const { journal, disk } = await open(first.disk.after({ kind: 'kill' }), { compacted_lines: 100 });
  await journal.intend(taskOf('open'));
  await journal.accepted('open', acceptedAs('task_open', AT));
  for (let n = 0; n < 1_000; n += 1) {
    await journal.intend(taskOf(`t${n}`));
    await journal.accepted(`t${n}`, acceptedAs(`task_${n}`, AT));
    await journal.closed(`t${n}`, 'completed');
  }
  await journal.close();
  expect(disk.text(FILE).split('\n').length).toBeLessThan(1_200);
  const after = await reopened(disk);
  expect(after.journal.open()).toMatchObject([{ id: 'open', task_id: 'task_open', seconds: 5 }]);
  expect(after.journal.lost()).toEqual([taskOf('lost')]);
  await expect(after.journal.intend(taskOf('t999'))).rejects.toMatchObject({ code: 'task_known' });
});
