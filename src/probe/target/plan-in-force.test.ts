import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { SecretValues } from '../../client/secrets/secret-values.ts';
import { loadConfig } from '../../config/load-config.ts';
import { NO_TERMS } from '../../contracts/billing-terms.ts';
import type { ProbePlan, ProbeTarget } from '../../contracts/probe-plan.ts';
import { writeScheduledRun } from '../../state/scheduled-run-file.ts';
import { targetFolder } from '../../state/target-folder.ts';
import { FakeClock } from '../fake-clock.test-support.ts';
import { ProbeLog } from '../log/probe-log.ts';
import { freshMetrics, probeOf, samples, targetOf } from '../watch/watch-bench.test-support.ts';
import { PlanInForce } from './plan-in-force.ts';

const LIST = probeOf({ name: 'list', api: 'models' });
const CHAT = probeOf({ name: 'chat', model: 'm', max_tokens: 4, prompt: 'Say mill.' });
const PAID = { budget: { hour: 10n ** 12n, day: 10n ** 13n, month: null }, probes: [CHAT] };

function at(root: string): Pick<ProbeTarget, 'bases'> {
  return { bases: { root, v1: `${root}/v1`, api: `${root}/api` } };
}

async function started(...targets: readonly ProbeTarget[]) {
  const dir = mkdtempSync(join(tmpdir(), 'wb-in-force-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const clock = new FakeClock();
  const secrets = new SecretValues();
  const log = new ProbeLog({
    sink: { write: () => true },
    secrets,
    level: 'silent',
    now: () => clock.now_ms(),
  });
  const metrics = freshMetrics();
  const plan = (...of: readonly ProbeTarget[]): ProbePlan => ({
    listen: { host: '127.0.0.1', port: 0, tls: null, auth: null },
    state_dir: dir,
    series_limit: 1000,
    reconcile_ms: 60_000,
    drain_ms: 1_000,
    targets: of,
  });
  const file = join(dir, 'weighbridge.yaml');
  writeFileSync(file, 'version: 1\n');
  const { http } = loadConfig({ file, env: {}, flags: {} });
  const means = {
    ...{
      plan: plan(),
      env: {},
      version: '0',
      http,
      clock,
      metrics,
      log,
      secrets,
      openWatch: null,
      archive_days: 800,
    },
    billing: { book: { adapter: 'auto', file: null, mapping: null }, terms: NO_TERMS },
  } as const;
  const inForce = await PlanInForce.open(means, plan(...targets));
  onTestFinished(() => inForce.close());
  const bases = () => samples(metrics, 'weighbridge_target_info');
  return { dir, inForce, plan, metrics, bases };
}

test('a reload goes on with the targets that stay, closes those that are gone and opens those that are new', async () => {
  const [stays, goes] = [targetOf({ name: 'stays', probes: [LIST] }), targetOf({ name: 'goes' })];
  const { inForce, plan, metrics } = await started(stays, goes);
  const before = inForce.named('stays');
  const skipped = 'weighbridge_probe_skipped_total';
  before?.skipped(LIST, 'overlap');
  const next = plan({ ...stays, probes: [LIST, CHAT] }, targetOf({ name: 'comes' }));
  await inForce.replace(next);
  expect(inForce.targets().map(({ target }) => target.name)).toEqual(['stays', 'comes']);
  expect(inForce.named('stays')).toBe(before);
  expect(before?.target.probes).toEqual([LIST, CHAT]);
  expect(inForce.plan).toBe(next);
  const { body } = await metrics.render('text');
  expect(body).not.toContain('target="goes"');
  expect(body).toContain('target="comes"');
  expect(await samples(metrics, skipped)).toContain('{probe="list",reason="overlap"} 1');

  // Of a probe that is gone, the series go.
  await inForce.replace(plan({ ...stays, probes: [CHAT] }));
  expect(await samples(metrics, skipped)).not.toContain('{probe="list",reason="overlap"} 1');
});

test('a name that has another address is another gateway, with the state of the name', async () => {
  const old = targetOf({ ...PAID, ...at('http://old') });
  const { inForce, plan, bases } = await started(old);
  const before = inForce.named('main');
  await inForce.replace(plan({ ...old, ...at('http://new') }));
  expect(inForce.named('main')).not.toBe(before);
  expect(await bases()).toEqual(['{base="http://new"} 1']);
});

test('where one target cannot be opened the plan before stays, and what was opened for the new one is let go', async () => {
  const stays = targetOf({ ...PAID, name: 'stays' });
  const { dir, inForce, plan } = await started(stays);
  const [before, inPlan] = [inForce.named('stays'), inForce.plan];
  mkdirSync(join(dir, 'bad'));
  writeFileSync(join(dir, 'bad/probe'), 'a file where the folder of the state should be');
  const comes = targetOf({ ...PAID, name: 'comes' });
  await expect(inForce.replace(plan(comes, targetOf({ ...PAID, name: 'bad' })))).rejects.toThrow('bad');
  expect(inForce.targets()).toEqual([before]);
  expect(inForce.plan).toBe(inPlan);
  // Its locks are free again.
  await inForce.replace(plan(stays, comes));
  expect(inForce.targets().map(({ target }) => target.name)).toEqual(['stays', 'comes']);
});

test('where the new address of a target cannot be opened it goes on at the old one', async () => {
  const [moves, other] = [targetOf({ ...PAID, ...at('http://old') }), targetOf({ ...PAID, name: 'other' })];
  const { dir, inForce, plan, bases } = await started(moves, other);
  const inPlan = inForce.plan;
  mkdirSync(join(dir, 'bad'));
  writeFileSync(join(dir, 'bad/probe'), 'a file where the folder of the state should be');
  const next = [
    { ...other, ...at('http://other') },
    { ...moves, ...at('http://new'), folder: 'bad' },
  ];
  await expect(inForce.replace(plan(...next))).rejects.toThrow('bad');
  expect(inForce.plan).toBe(inPlan);
  const roots = inForce.targets().map(({ target }) => `${target.name} ${target.bases.root}`);
  expect(roots.sort()).toEqual(['main http://old', `other ${other.bases.root}`]);
  expect(await bases()).toContain('{base="http://old"} 1');
  // And it can be moved once that is mended.
  await inForce.replace(plan({ ...moves, ...at('http://new') }));
  expect(await bases()).toEqual(['{base="http://new"} 1']);
});

test('the last run of a schedule is told as it stands at each look; what cannot be read leaves what was', async () => {
  const target = targetOf({ name: 'nightly', probes: [LIST] });
  const { dir, inForce, plan, metrics } = await started(target);
  const home = targetFolder(dir, { root: target.bases.root, folder: target.folder });
  const look = () => {
    for (const watched of inForce.targets()) watched.sample();
    return samples(metrics, 'weighbridge_scheduled_run_');
  };
  expect(await look()).toEqual([]);
  const usd = { charged: '0.25', expected: '0.2', certain_over: null, certain_under: null };
  const [began_at, ended_at] = ['2027-01-31T02:00:00.000Z', '2027-01-31T02:05:00.000Z'];
  const run = { run_id: 'r', target: 'gw', began_at, ended_at, every_ms: 3_600_000, exit_status: 5, usd };
  writeScheduledRun(home, run);
  const told = await look();
  expect(told.toSorted()).toEqual([
    'end_timestamp_seconds 1801361100',
    'exit_status 5',
    'expected_timestamp_seconds 1801364700',
    'usd{line="charged"} 0.25',
    'usd{line="expected"} 0.2',
  ]);
  writeFileSync(join(home, 'scheduled-run.json'), '{');
  expect((await look()).toSorted()).toEqual(told.toSorted());
  writeScheduledRun(home, { ...run, exit_status: 0, usd: { ...usd, expected: null } });
  expect(await look()).toHaveLength(4);
  rmSync(join(home, 'scheduled-run.json'));
  expect(await look()).toEqual([]);
  writeScheduledRun(home, run);
  await look();
  await inForce.replace(plan());
  expect(await samples(metrics, 'weighbridge_scheduled_run_')).toEqual([]);
});
