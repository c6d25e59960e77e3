import { join } from 'node:path';
import { DEFAULT_CONNECTION } from '../../client/open-dispatcher.ts';
import { SecretValues } from '../../client/secrets/secret-values.ts';
import { NO_TERMS } from '../../contracts/billing-terms.ts';
import type { ProbeTarget } from '../../contracts/probe-plan.ts';
import { TargetBudget } from '../../state/budget/target-budget.ts';
import { systemProbeClock } from '../schedule/probe-clock.ts';
import { TaskJournal } from '../tasks/task-journal.ts';
import { probeOf } from '../view/daemon-view.test-support.ts';
import { CallLedger } from './call-ledger.ts';
import { SubmittedRows } from './submitted-rows.ts';
import { TargetBook } from './target-book.ts';
import { TargetCredentials } from './target-credentials.ts';
import type { TargetMeans } from './target-means.ts';

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

/** What a probe's run of the gateway at `root` has, in a folder of its own; it makes no free reads by itself. */
export async function meansIn(dir: string, root: string) {
  const bases = { root, v1: `${root}/v1`, api: `${root}/api` };
  const target: ProbeTarget = {
    name: 'main',
    folder: 'main',
    bases,
    loopback: true,
    key: 'env:K',
    access_token: null,
    user_id: null,
    headers: {},
    budget: LIMITS,
    assumed_run_usd: null,
    concurrency: 1,
    probes: [PROBE],
    dialect: 'auto',
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
