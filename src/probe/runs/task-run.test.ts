import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { taskRun } from './make-run.ts';
import { meansIn } from './target-means.test-support.ts';

/** A gateway that refuses every submit, and tells what stood on the disk when it came. */
async function refusing(dir: string, status: number) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    // A ledger is made by its first intent: where none was written, this shows it at once.
    const names = existsSync(join(dir, 'calls')) ? readdirSync(join(dir, 'calls')) : [];
    const calls = names.map((name) => readFileSync(join(dir, 'calls', name), 'utf8'));
    const state = ['budget.ndjson', 'tasks.ndjson'].map((name) => readFileSync(join(dir, name), 'utf8'));
    seen.push([...state, ...calls].join(''));
    request.resume();
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end('{"error":{"message":"no","type":"x","code":""}}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return { seen, root: `http://127.0.0.1:${address.port}` };
}

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-task-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

it('sends nothing before reserve and intents are on the disk, and gives the reserve of a refusal back', async () => {
  const dir = folder();
  const { seen, root } = await refusing(dir, 402);
  const { means, budget, close, due } = await meansIn(dir, root);
  const outcome = await taskRun(means, due, 'video');
  expect(seen).toHaveLength(1);
  expect(seen[0]).toContain('"kind":"reserved","id":"main/v/1"');
  expect(seen[0]).toMatch(/"kind":"intent","task":\{"id":"main\/v\/1"/);
  expect(seen[0]).toMatch(/"schema":"weighbridge.intent\/1".*"kind":"video"/);
  expect(outcome).toMatchObject({
    kind: 'ended',
    run: { error_type: 'insufficient_user_quota', spend: { priced: 0n } },
    facts: { task: { final: 'rejected' } },
  });
  expect(budget.spent().hour).toBe(0n);
  await close();
});

it('leaves a reserve spent where a task may have been made, and makes none of that run again', async () => {
  const dir = folder();
  const { seen, root } = await refusing(dir, 503);
  const { means, budget, close, due } = await meansIn(dir, root);
  expect(await taskRun(means, due, 'video')).toMatchObject({ facts: { task: { final: 'lost' } } });
  const spent = budget.spent().hour;
  expect(spent).toBeGreaterThanOrEqual(400_000_000_000n);
  // Nothing more will be known of it: open reservations would fill the journal while a gateway fails.
  expect(budget.open()).toEqual([]);
  await close();

  const later = await meansIn(dir, root);
  expect(await taskRun(later.means, due, 'video')).toEqual({ kind: 'skipped', reason: 'overlap' });
  expect(later.budget.spent().hour).toBe(spent);
  expect(seen).toHaveLength(1);
  await later.close();
});
