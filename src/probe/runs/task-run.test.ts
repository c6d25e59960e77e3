import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { DEFAULT_CONNECTION } from '../../client/open-dispatcher.ts';
import { SecretValues } from '../../client/secrets/secret-values.ts';
import { NO_TERMS } from '../../core/billing-terms.ts';
import type { ProbeTarget } from '../../core/probe-plan.ts';
import { TargetBudget } from '../../state/budget/target-budget.ts';
import { systemProbeClock } from '../probe-clock.ts';
import { TaskJournal } from '../tasks/task-journal.ts';
import { probeOf } from '../view/daemon-view.test-support.ts';
import { CallLedger } from './call-ledger.ts';
import { SubmittedRows } from './submitted-rows.ts';
import { TargetBook } from './target-book.ts';
import { TargetCredentials } from './target-credentials.ts';
import type { TargetMeans } from './target-means.ts';
import { taskRun } from './task-run.ts';

const BOOK = JSON.stringify({
  object: 'pricebook',
  pricebook_id: 'pb',
  pricing_version: 'v1',
  currency: 'USD',
  models: [{ id: 'm', kind: 'video', unit: 'per_second', price: '0.1' }],
});
const PROBE = probeOf({
  name: 'v',
  api: 'video',
  model: 'm',
  size: '1280x720',
  seconds: 4,
  max_tokens: null,
  task_timeout_ms: 60_000,
});
const LIMITS = { hour: 10n ** 13n, day: 10n ** 14n, month: 10n ** 15n };

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

async function meansIn(dir: string, root: string) {
  const bases = { root, v1: `${root}/v1`, api: `${root}/api` };
  const target: ProbeTarget = {
    name: 'main',
    folder: 'main',
    bases,
    loopback: true,
    key: 'env:K',
    access_token: null,
    user_id: null,
    budget: LIMITS,
    concurrency: 1,
    probes: [PROBE],
    watched_models: [],
  };
  const clock = systemProbeClock();
  const env = { K: 'sk-planted-secret' };
  const secrets = new SecretValues();
  const credentials = new TargetCredentials(target, { env, secrets, now: Date.now, looked: () => {} });
  const named = { userAgent: 'weighbridge', runId: 'probe-main', version: '0.1.0', now: clock };
  const key = () => credentials.read('key');
  const ledger = new CallLedger({ ...named, bases, key, environment: {}, dir: join(dir, 'calls') });
  const budget = await TargetBudget.open(join(dir, 'budget.ndjson'), LIMITS, clock);
  const tasks = await TaskJournal.open(join(dir, 'tasks.ndjson'));
  const bytes = new TextEncoder().encode(BOOK);
  const answer = {
    ok: true,
    status: 200,
    body: BOOK,
    bytes,
    sha256: '',
    numbersAsText: 0,
    requestId: null,
  } as const;
  const billing = { book: { adapter: 'auto', file: null, mapping: null }, terms: NO_TERMS } as const;
  const means: TargetMeans = {
    target: () => target,
    clock,
    connection: DEFAULT_CONNECTION,
    user_agent: 'weighbridge',
    env: {},
    credentials,
    budget,
    tasks,
    ledger,
    submitted: new SubmittedRows(join(dir, 'submitted')),
    book: new TargetBook(billing, clock, () => Promise.resolve(answer)),
    reads: () => {
      throw new Error('nothing is read here');
    },
    seen: () => Promise.resolve(),
    ending: new AbortController().signal,
    accepted: () => {},
    reserved: () => {},
  };
  const due = { id: 'main/v/1', planned_ms: 0, asked: false, target, probe: PROBE } as const;
  const close = async () => {
    await ledger.close();
    await tasks.close();
    await budget.close();
  };
  return { means, budget, close, due: { ...due, signal: new AbortController().signal } };
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
