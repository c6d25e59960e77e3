import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { GatewayClient } from '../../client/gateway-client.ts';
import { TEST_TIMEOUTS } from '../../client/paid/paid-calls.test-support.ts';
import type { FaultPlan } from '../../gateway/faults/fault-plan.ts';
import { startTestGateway, type TestGateway } from '../../gateway/parts/gateway.test-support.ts';
import { CallLedger } from '../runs/call-ledger.ts';
import {
  benchOf,
  freshMetrics,
  probeOf,
  samples,
  stateFolder,
  targetOf,
} from '../watch/watch-bench.test-support.ts';
import { OwnCallsAudit } from './own-calls.ts';

const MODEL = 'aspen-mini';
const PROBE = probeOf({ name: 'chat', model: MODEL });
const MINUTE = 60_000;

function basesOf({ running }: TestGateway) {
  const root = running.ready.base_url;
  return { root, v1: `${root}/v1`, api: `${root}/api` };
}

function clientOf(gateway: TestGateway, signal: AbortSignal): GatewayClient {
  const { api_key } = gateway.running.ready;
  return new GatewayClient({
    bases: basesOf(gateway),
    apiKey: api_key,
    timeoutMs: 5000,
    retry: { attempts: 1, firstWaitMs: 1, factor: 1, maxWaitMs: 1 },
    userAgent: 'test',
    signal,
  });
}

/** A probe's calls, as the daemon makes and writes them. */
async function made(gateway: TestGateway, dir: string, count: number): Promise<void> {
  const ledger = new CallLedger({
    dir: join(dir, 'calls'),
    version: 'test',
    now: { now_ms: Date.now, mono_ms: () => performance.now(), setTimer: () => () => {} },
    bases: basesOf(gateway),
    key: () => gateway.running.ready.api_key,
    userAgent: 'test',
    runId: 'probe',
  });
  for (let at = 0; at < count; at += 1) {
    const day = ledger.today();
    const call = {
      name: { scenario: PROBE.name, n: day.number(PROBE.name), turn: null },
      model: MODEL,
      prompt: 'Name three rivers.',
      timeouts: TEST_TIMEOUTS,
      worst_case_usd: '0.01',
      kind: 'chat',
      stream: false,
      max_tokens: 20,
      auth: 'bearer',
    } as const;
    day.intent(day.client.intent(call));
    const { row } = await day.client.text(call, AbortSignal.timeout(10_000));
    ledger.rows([row]);
  }
  await ledger.close();
}

async function gatewayOf(faults?: FaultPlan['faults']): Promise<TestGateway> {
  const gateway = await startTestGateway(faults === undefined ? {} : { faults: { faults } });
  onTestFinished(() => gateway.running.close());
  return gateway;
}

function auditOf(gateway: TestGateway, dir: string) {
  const metrics = freshMetrics();
  const target = targetOf({ bases: basesOf(gateway), probes: [PROBE], watched_models: [MODEL] });
  const reads = (signal: AbortSignal) => clientOf(gateway, signal);
  const means = benchOf({ dir, target, metrics, reads, now_ms: Date.now() });
  const audit = new OwnCallsAudit(means, () => null);
  const round = async (laterMs = 0) => {
    await means.clock.freeze(Math.max(0, Date.now() + laterMs - means.clock.now_ms()));
    await audit.run();
  };
  const told = async (name: string) => (await samples(metrics, name)).filter((line) => !line.endsWith(' 0'));
  return { audit, means, round, told };
}

test('honest calls are right to the digit, and calls of others on the key accuse nobody', async () => {
  const gateway = await gatewayOf();
  const dir = stateFolder();
  await made(gateway, dir, 3);
  await gateway.call('POST', '/v1/chat/completions', {
    model: MODEL,
    messages: [{ role: 'user', content: 'Hello' }],
  });
  const { audit, means, round, told } = auditOf(gateway, dir);
  await round();
  expect(means.said).toEqual([]);
  expect(await told('weighbridge_audit_calls_total')).toEqual(['{verdict="to_the_digit"} 3']);
  expect(await told('weighbridge_audit_calls_open')).toEqual(['0']);
  expect(await told('weighbridge_audit_findings')).toEqual([]);
  expect(await told('weighbridge_usage_mismatches_total')).toEqual([]);
  expect(await told('weighbridge_usage_settlement_lag_seconds_count')).toEqual(['3']);
  const [spend] = await told('weighbridge_probe_spend_usd_total');
  expect(spend).toMatch(/^\{probe="chat",api="chat",model="aspen-mini",source="recorded"\} [\d.e-]+$/);
  expect(audit.view()).toMatchObject({ calls: 3, findings: 0, verdict: 'clean' });
  // The same calls in the next round count no second time.
  await round(MINUTE);
  expect(await told('weighbridge_audit_calls_total')).toEqual(['{verdict="to_the_digit"} 3']);
  expect(await told('weighbridge_usage_settlement_lag_seconds_count')).toEqual(['3']);
  expect(await told('weighbridge_probe_spend_usd_total')).toEqual([spend]);
  // Nor do they when they have left the window that is read, and come by again.
  for (const hours of [3, 4]) await round(hours * 60 * MINUTE);
  expect(await told('weighbridge_audit_calls_total')).toEqual(['{verdict="to_the_digit"} 3']);
  await audit.close();
  expect(await told('weighbridge_audit')).toEqual([]);
});

test('a duplicate and a missing record are found, and a restart counts neither again', async () => {
  const gateway = await gatewayOf([
    { fault: 'bill.duplicate_record', when: { nth: 1 }, parameters: {} },
    { fault: 'bill.missing_record', when: { nth: 3 }, parameters: {} },
  ]);
  const dir = stateFolder();
  await made(gateway, dir, 3);
  const first = auditOf(gateway, dir);
  await first.round();
  expect(await first.told('weighbridge_usage_mismatches_total')).toEqual(['{kind="duplicate"} 1']);
  expect(await first.told('weighbridge_audit_calls_open')).toEqual(['1']);
  await first.round(20 * MINUTE);
  expect(await first.told('weighbridge_usage_mismatches_total')).toEqual([
    '{kind="missing"} 1',
    '{kind="duplicate"} 1',
  ]);
  expect(await first.told('weighbridge_audit_calls_total')).toEqual([
    '{verdict="to_the_digit"} 1',
    '{verdict="finding"} 2',
  ]);
  expect(await first.told('weighbridge_audit_calls_open')).toEqual(['0']);
  expect(await first.told('weighbridge_audit_findings')).toEqual([
    '{class="duplicate_charge"} 1',
    '{class="unrecorded_request"} 1',
  ]);
  await first.audit.close();
  const second = auditOf(gateway, dir);
  await second.round(21 * MINUTE);
  expect(await second.told('weighbridge_usage_mismatches_total')).toEqual([]);
  expect(await second.told('weighbridge_audit_calls_total')).toEqual([]);
  // What is there now is still told.
  expect(await second.told('weighbridge_audit_findings')).toHaveLength(2);
  expect(second.audit.view()).toMatchObject({ verdict: 'findings', findings: 2 });
  await second.audit.close();
});

test('a record that is awaited is not missing because the clock was set forward', async () => {
  const gateway = await gatewayOf([{ fault: 'bill.missing_record', when: { nth: 1 }, parameters: {} }]);
  const dir = stateFolder();
  await made(gateway, dir, 1);
  const { audit, means, round, told } = auditOf(gateway, dir);
  await round();
  means.clock.setWall(means.clock.now_ms() + 60 * MINUTE);
  await audit.run();
  expect(await told('weighbridge_usage_mismatches_total')).toEqual([]);
  expect(await told('weighbridge_audit_calls_open')).toEqual(['1']);
  await means.clock.freeze(20 * MINUTE);
  await audit.run();
  expect(await told('weighbridge_usage_mismatches_total')).toEqual(['{kind="missing"} 1']);
  await audit.close();
});

test('rounds come by themselves; one whose records cannot be read counts nothing and is told', async () => {
  const gateway = await gatewayOf();
  const dir = stateFolder();
  await made(gateway, dir, 1);
  const { audit, means, told } = auditOf(gateway, dir);
  await gateway.running.close();
  await means.clock.advance(means.reconcile_ms);
  await audit.run();
  expect(means.said.join()).toContain('records of own calls could not be read');
  expect(await told('weighbridge_audit_last_run_timestamp_seconds')).toEqual([]);
  expect(audit.view()).toBeNull();
  await audit.close();
  expect(means.clock.timers()).toBe(0);
});

test('what a newer version has counted is refused at the start, and stands as it stood', () => {
  const dir = stateFolder();
  const file = join(dir, 'audit', 'counted.json');
  mkdirSync(join(dir, 'audit'));
  writeFileSync(file, '{"schema":"weighbridge.probe-audit/2"}');
  const means = benchOf({ dir, target: targetOf({ probes: [PROBE] }) });
  expect(() => new OwnCallsAudit(means, () => null)).toThrow('found "weighbridge.probe-audit/2"');
});
