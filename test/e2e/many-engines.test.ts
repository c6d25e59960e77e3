import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { CallRow } from '../../src/contracts/ledger-lines.ts';
import { type Result, resultSchema } from '../../src/contracts/result.ts';
import { startGateway } from '../../src/gateway/start-gateway.ts';
import { type LoadedLedger, loadLedger } from '../../src/ledger/load-ledger.ts';
import { headline } from '../../src/report/words/verdict-words.ts';
import { type Runner, resume, startRunners, stop } from '../support/k6-runners.ts';
import { type Finished, listFiles, ROOT, runWeighbridge, scratchDir } from '../support/run-weighbridge.ts';

/*
 * Three k6 of one plan as k6-operator runs them, on this machine: its command lines, its order, its requests. What a
 * cluster adds (pods, services, volumes) is not here.
 */

let gateway: Awaited<ReturnType<typeof startGateway>>;
beforeAll(async () => {
  gateway = await startGateway({ port: 0, seed: 1, latency: 'fast' });
});
afterAll(() => gateway.close());

const SECONDS = 6;
/** 54 and 18 starts; places that three k6 share evenly. */
const TRAFFIC = `traffic:
  - { kind: chat, rate: 9/s, max_in_flight: 60 }
  - { kind: messages, rate: 3/s, max_in_flight: 60 }
`;
const CHAT = 'traffic: [{ kind: chat, rate: 9/s, max_in_flight: 60 }]\n';

interface Planned {
  readonly dir: string;
  readonly state: string;
  readonly keyFile: string;
  readonly callUsd: string;
}

/** Writes a plan by the command, with the key in a file as a Secret gives it. */
async function plan(
  instances: number | null,
  { yaml = TRAFFIC, cap = '900' }: { readonly yaml?: string; readonly cap?: string } = {},
): Promise<Planned> {
  const [dir, state] = [scratchDir(), scratchDir()];
  const config = join(dir, 'weighbridge.yaml');
  writeFileSync(
    config,
    `version: 1\nduration: ${SECONDS}s\ntarget: { url: ${gateway.ready.base_url}, key: exclusive }\n${yaml}`,
  );
  const keyFile = join(dir, 'key');
  writeFileSync(keyFile, `${gateway.ready.api_key}\n`);
  const args = ['plan', '--config', config, '--max-spend-usd', cap, '--nonce', 'one', '--json'];
  const many = instances === null ? [] : ['--instances', String(instances), '--state', state];
  const planned = await runWeighbridge([...args, '--out', join(dir, 'plan.json'), ...many], {
    env: { WEIGHBRIDGE_API_KEY_FILE: keyFile },
  });
  expect(planned.status, planned.stderr).toBe(0);
  const { forecast } = JSON.parse(planned.stdout);
  return { dir, state, keyFile, callUsd: forecast.scenarios[0].call_usd };
}

/** The runners of a plan, each with a folder of its own in calls/. */
function runners(planned: Planned, instances: number, env: Readonly<Record<string, string>> = {}) {
  return startRunners({
    instances,
    plan: join(planned.dir, 'plan.json'),
    ledgerOf: (index) => join(planned.dir, 'calls', String(index)),
    env: { WEIGHBRIDGE_API_KEY_FILE: planned.keyFile, ...env },
  });
}

function reconcile({ dir, state, keyFile }: Planned, folder = dir): Promise<Finished> {
  return runWeighbridge(['reconcile', '--ledger', folder, '--state', state], {
    env: { WEIGHBRIDGE_API_KEY_FILE: keyFile },
  });
}

function resultOf({ dir }: Planned): Result {
  return resultSchema.parse(JSON.parse(readFileSync(join(dir, 'result.json'), 'utf8')));
}

const ends = (all: readonly Runner[]) => Promise.all(all.map(({ ended }) => ended));

/** Waits until the ledger of a runner holds so many calls that are over. */
async function calls({ dir }: Planned, index: number, count: number): Promise<void> {
  const folder = join(dir, 'calls', String(index));
  await vi.waitFor(
    () => {
      const text = listFiles(folder)
        .map((file) => readFileSync(file, 'utf8'))
        .join('');
      expect(text.split('"weighbridge.call/1"').length - 1).toBeGreaterThanOrEqual(count);
    },
    { timeout: 120_000, interval: 20 },
  );
}

const PAGE = readFileSync(join(ROOT, 'docs/load.md'), 'utf8');

/** The page shows what befell, the exit status of the audit and its words, but for figures that differ from run to run. */
function shown(what: string, { status }: Finished, words: readonly string[]): void {
  const text = words.map((each) =>
    each
      .replace(/skew \d+ ms/, 'skew … ms')
      .replace(/ is [\d.]+,/, ' is …,')
      .replace(/\$[\d.]*\d/g, '$…'),
  );
  const lines = PAGE.split('\n').filter((line) => line.startsWith(`| ${what} |`));
  expect(lines).toEqual([`| ${what} | ${status} | ${text.join('; ')} |`]);
}
const reasons = ({ exit_codes }: Result): readonly string[] => exit_codes.map(({ why }) => why);

/** numpy's default, from the definition: the reports' own code is what is judged. */
function percentile(values: readonly number[], percent: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  const rank = (percent / 100) * (sorted.length - 1);
  const [low = 0, high = low] = [sorted[Math.floor(rank)], sorted[Math.ceil(rank)]];
  return Math.round((low + (high - low) * (rank - Math.floor(rank))) * 1000) / 1000;
}

/** What was asked, whoever asked it: the call without who made it and when. */
const asked = ({ rows }: LoadedLedger) =>
  rows
    .map((row: CallRow) =>
      [row.scenario, row.iteration, row.stream, row.prompt_bytes, row.max_tokens].join(' '),
    )
    .sort();

test('three k6 make the calls of one: each once, shares even, figures of all rows, one bill', async () => {
  const planned = await plan(3);
  const three = await runners(planned, 3);
  await resume(three);
  expect(await ends(three)).toEqual([0, 0, 0]);
  const audited = await reconcile(planned);
  const result = resultOf(planned);
  const ledger = await loadLedger(planned.dir);
  shown('all end as planned', audited, [headline(result).text]);
  expect(audited.status, audited.stderr).toBe(0);

  const alone = await plan(null);
  const one = await runners(alone, 1);
  await resume(one);
  expect(await ends(one)).toEqual([0]);
  expect((await reconcile(alone)).status).toBe(0);
  const single = resultOf(alone);

  expect(ledger.headers.map(({ instance }) => instance)).toEqual(['0-1_3', '1_3-2_3', '2_3-1']);
  expect(asked(ledger)).toEqual(asked(await loadLedger(alone.dir)));
  const { load, engines, money } = result;
  for (const figure of ['planned', 'started', 'ok', 'asked_rate'] as const)
    expect(load?.total[figure], figure).toBe(single.load?.total[figure]);
  expect(Math.abs((load?.total.planned ?? 0) / ((9 + 3) * SECONDS) - 1)).toBeLessThanOrEqual(0.005);
  expect(result.plan_hash).toBe(single.plan_hash);
  expect(money).toMatchObject({ difference: '0', records: single.money?.records });
  expect(single).not.toHaveProperty('engines');

  expect(
    engines?.map(({ segment, planned: starts, rows_lost, closed, halted }) => ({
      segment,
      starts,
      rows_lost,
      closed,
      halted,
    })),
  ).toEqual(
    ['0:1/3', '1/3:2/3', '2/3:1'].map((segment) => ({
      segment,
      starts: ((9 + 3) * SECONDS) / 3,
      rows_lost: 0,
      closed: true,
      halted: null,
    })),
  );
  expect(
    engines?.every(({ began_at, cores, cpu_max }) => began_at !== null && cores !== null && cpu_max !== null),
  ).toBe(true);
  const begins = (engines ?? []).map(({ began_at }) => Date.parse(began_at ?? ''));
  expect(result.client?.start_skew_ms).toBe(Math.max(...begins) - Math.min(...begins));
  expect(audited.stdout).toMatch(/client .*start skew/);

  const e2e = ledger.rows
    .filter(({ kind, outcome }) => kind === 'chat' && outcome === 'ok')
    .map(({ end_ms }) => end_ms);
  const table = load?.kinds.find(({ kind }) => kind === 'chat')?.latency.e2e;
  expect(table).toMatchObject({
    count: e2e.length,
    p50: percentile(e2e, 50),
    p95: percentile(e2e, 95),
    p99: percentile(e2e, 99),
  });

  const budget = listFiles(planned.state).filter((file) => file.endsWith('budget.ndjson'));
  const lines = budget.map((file) => readFileSync(file, 'utf8')).join('');
  expect(lines).toContain('"worst_pusd":"900000000000000"');
  expect(lines).toContain('"kind":"settled"');
});

test('prompts of one’s own travel with the plan: its folder is all that k6 of other machines need', async () => {
  const source = scratchDir();
  writeFileSync(
    join(source, 'questions.txt'),
    Array.from({ length: 54 }, (_, n) => `question ${n}\n`).join(''),
  );
  const made = await plan(3, {
    yaml: `traffic: [{ kind: chat, rate: 9/s, max_in_flight: 60, prompts: { file: ${source}/questions.txt } }]\n`,
  });
  rmSync(source, { recursive: true });
  const volume = join(scratchDir(), 'volume');
  renameSync(made.dir, volume);
  const planned = { ...made, dir: volume, keyFile: join(volume, 'key') };
  const three = await runners(planned, 3);
  await resume(three);
  expect(await ends(three)).toEqual([0, 0, 0]);
  expect((await loadLedger(volume)).rows).toHaveLength(9 * SECONDS);
});

test('one that is killed is told, its calls are counted at most, and its cap stays taken', async () => {
  const planned = await plan(3);
  const three = await runners(planned, 3);
  await resume(three);
  await calls(planned, 2, 3);
  three[1]?.child.kill('SIGKILL');
  expect(await ends(three)).toEqual([0, 'SIGKILL', 0]);
  const audited = await reconcile(planned);
  const result = resultOf(planned);
  shown('one is killed', audited, reasons(result));
  expect(result.exit_codes.map(({ code }) => code)).toEqual([1, 7]);
  expect(result.engines?.map(({ closed }) => closed)).toEqual([true, false, true]);
  expect(result.findings).toEqual([]);
  expect(audited.stderr).toContain('its whole cap stays reserved: the ledger of 1_3-2_3 was not closed');
});

test('a ledger that is lost leaves records that nobody is accused of', async () => {
  const planned = await plan(3);
  const three = await runners(planned, 3);
  await resume(three);
  expect(await ends(three)).toEqual([0, 0, 0]);
  rmSync(join(planned.dir, 'calls/2'), { recursive: true });
  const audited = await reconcile(planned);
  const result = resultOf(planned);
  shown('the ledger of one is lost', audited, reasons(result));
  expect(audited.status).toBe(7);
  expect(reasons(result).join()).toContain('no file covers the part 1/3:2/3 of the run');
  expect(result.findings).toEqual([]);
  expect(result.money?.unattributed?.records).toBe(((9 + 3) * SECONDS) / 3);
  expect(audited.stderr).toContain('its whole cap stays reserved');
});

test('one that begins 2 s later is told: the bill holds, the speed is no measure', async () => {
  const planned = await plan(3);
  const three = await runners(planned, 3);
  await resume(three.slice(0, 2));
  // Its fourth chat and its third message are due 2 s after its beginning.
  await calls(planned, 1, 8);
  await resume(three.slice(2));
  expect(await ends(three)).toEqual([0, 0, 0]);
  const audited = await reconcile(planned);
  const result = resultOf(planned);
  shown('one begins 2 s after the others', audited, [
    headline(result).text,
    `client_limited: ${result.client?.reasons.find((reason) => reason.startsWith('start skew'))}`,
  ]);
  expect(audited.status).toBe(0);
  expect(result.client?.start_skew_ms).toBeGreaterThan(1_500);
  expect(result.client?.reasons.join()).toMatch(/start skew \d+ ms is above 5 % of the 6 s/);
  expect(result.load?.total.started).toBe((9 + 3) * SECONDS);
  expect(result.money?.difference).toBe('0');
});

test('the cap holds for all together: each stops at its share', async () => {
  const { callUsd } = await plan(null, { yaml: CHAT });
  // Room for the worst case of one call each: the next one would pass the share, whatever the first has cost.
  const cap = (Number(callUsd) * 3).toFixed(12);
  const planned = await plan(3, { yaml: CHAT, cap });
  const three = await runners(planned, 3);
  await resume(three);
  await ends(three);
  const audited = await reconcile(planned);
  const result = resultOf(planned);
  shown('the cap is reached', audited, reasons(result));
  expect(audited.status).toBe(6);
  expect(result.engines?.map(({ halted }) => halted)).toEqual(['spend_cap', 'spend_cap', 'spend_cap']);
  expect(result.money?.records).toBe(3);
});

test('an objective is judged over the calls of all', async () => {
  const planned = await plan(3, {
    yaml: `${CHAT}objectives: [{ kind: chat, measure: usd_per_1000_good, max_usd: "0.000001" }]\n`,
  });
  const three = await runners(planned, 3);
  await resume(three);
  await ends(three);
  const audited = await reconcile(planned);
  shown('an objective is missed', audited, reasons(resultOf(planned)));
  expect(audited.status).toBe(4);
  expect(resultOf(planned).load?.objectives).toMatchObject([{ measure: 'usd_per_1000_good', met: false }]);
});

test.each([
  ['all are stopped through the interface of k6', (all: readonly Runner[]) => stop(all)],
  [
    'all pods are deleted (SIGTERM to process 1)',
    async (all: readonly Runner[]) => {
      for (const { child } of all) child.kill('SIGTERM');
    },
  ],
])('%s: no further call starts, and the ledgers are whole', async (what, end) => {
  const planned = await plan(3);
  const three = await runners(planned, 3);
  await resume(three);
  await calls(planned, 3, 2);
  await end(three);
  await ends(three);
  const audited = await reconcile(planned);
  const result = resultOf(planned);
  shown(what, audited, reasons(result));
  expect(audited.status).toBe(130);
  expect(result.engines?.map(({ closed, halted }) => [closed, halted])).toEqual(
    Array.from({ length: 3 }, () => [true, 'interrupted']),
  );
  expect(result.load?.total.started).toBeLessThan((9 + 3) * SECONDS);
  expect(result.findings).toEqual([]);
});

test('two of one name are refused: in one folder before a call is sent, in several before the bill is judged', async () => {
  const planned = await plan(2);
  const shared = await startRunners({
    instances: 2,
    plan: join(planned.dir, 'plan.json'),
    ledgerOf: () => join(planned.dir, 'calls'),
    env: { WEIGHBRIDGE_API_KEY_FILE: planned.keyFile, WEIGHBRIDGE_INSTANCE: 'i0' },
  });
  const refused = shared.filter(({ child }) => child.exitCode !== null);
  expect(refused).toHaveLength(1);
  expect(refused[0]?.said()).toContain('i0-0.ndjson is there already');
  expect(listFiles(join(planned.dir, 'calls'))).toHaveLength(1);
  for (const { child } of shared) child.kill('SIGKILL');
  await ends(shared);

  const apart = await plan(2);
  const two = await runners(apart, 2, { WEIGHBRIDGE_INSTANCE: 'i0' });
  await resume(two);
  expect(await ends(two)).toEqual([0, 0]);
  const audited = await reconcile(apart);
  shown('two have one name', audited, ['`instances_alike`: nothing is judged']);
  expect(audited).toMatchObject({ status: 2, stderr: expect.stringContaining('instances_alike') });
  expect(existsSync(join(apart.dir, 'result.json'))).toBe(false);
});

test('a k6 without its segment does not drive a plan for three', async () => {
  const planned = await plan(3);
  const [alone] = await runners(planned, 1);
  expect(await alone?.ended).not.toBe(0);
  expect(alone?.said()).toContain('it is for 3 k6 processes');
  expect(existsSync(join(planned.dir, 'calls'))).toBe(false);
});
