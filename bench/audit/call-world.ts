import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { settle } from '../../src/app/evidence/settle.ts';
import { collectAccount } from '../../src/collect/collect-account.ts';
import { collectBook } from '../../src/collect/collect-book.ts';
import { collectSweep } from '../../src/collect/collect-sweep.ts';
import { type BillingTerms, NO_TERMS } from '../../src/contracts/billing-terms.ts';
import type { Finding } from '../../src/contracts/finding.ts';
import type { JournalCall, JournalFault } from '../../src/contracts/journal.ts';
import type { Reconciliation } from '../../src/contracts/reconciliation.ts';
import { seededRandom } from '../../src/core/seeded-random.ts';
import type { Readings } from '../../src/gateway/readings/readings.ts';
import { loadReconcileInput } from '../../src/reconcile/input/load-reconcile-input.ts';
import { brokenMoney } from '../../src/reconcile/money-identity.test-support.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { openBenchGateway } from './bench-gateway.ts';
import { CallDriver } from './call-driver.ts';
import type { PlannedCall } from './planned-call.ts';
import { LATE_MS } from './plantings.ts';

/** Calls that are made one phase after the other. */
export interface Phase {
  readonly calls: readonly PlannedCall[];
  readonly lanes: number;
  /** A change of prices before it, as the gateway's control API takes it. */
  readonly prices?: object;
}

export interface WorldPlan {
  readonly name: string;
  readonly seed: number;
  /** Name of its readings, for tables. */
  readonly mix: string;
  readonly readings: Readings;
  readonly phases: readonly Phase[];
  /** Honest calls for each one with a fault; null where no call has one. */
  readonly honest: number | null;
  /** Faults that act late: one sweep comes before them. */
  readonly late: boolean;
}

export interface JudgedWorld {
  readonly plan: WorldPlan;
  readonly fired: readonly JournalFault[];
  /** Paid calls as the gateway knows them. */
  readonly ended: readonly JournalCall[];
  /** Final ones. */
  readonly findings: readonly Finding[];
  readonly reconciliation: Reconciliation;
}

/** Deadlines of two seconds, so that what a run of seconds leaves open is final. */
export const AT_ONCE: BillingTerms = {
  ...NO_TERMS,
  deadlines: { text_ms: 2000, task_ms: 2000, refund_ms: 2000, by_class: {} },
};
const PAST_DEADLINE_MS = 2300;
/** Beyond the second in which either version may be charged. */
const VERSION_MS = 2300;
const SETTLE = { waitMs: 6000, pollMs: 700 };

/** A gateway, calls with faults, what an audit reads of them, and its findings. `keep` leaves the run folder there. */
export async function runCallWorld(plan: WorldPlan, keep?: string): Promise<JudgedWorld> {
  const dir = keep ?? mkdtempSync(join(tmpdir(), 'weighbridge-power-'));
  const gateway = await openBenchGateway(plan.seed, plan.readings);
  const { client } = gateway;
  try {
    const random = (call: number) => seededRandom('bench-audit', plan.name, plan.mix, plan.seed, call);
    const driver = new CallDriver({ ...gateway, dir: join(dir, 'calls'), random });
    const startS = Math.floor(Date.now() / 1000);
    for (const [index, { calls, lanes, prices }] of plan.phases.entries()) {
      if (prices !== undefined) {
        await gateway.control('PUT', '/prices', prices);
        if (index > 0) await wait(VERSION_MS);
      }
      await collectBook({ client, dir, sweep: 0 });
      await driver.drive(calls, lanes);
    }
    driver.close();
    // Amid what is still open: honest traffic shows what comes late, too.
    if (plan.honest === null) {
      const window = { start: startS, end: Math.floor(Date.now() / 1000) + 1 };
      await collectAccount({ client, dir, sweep: 1 });
      await collectSweep({ client, dir, window, sweep: 1 });
    }
    if (plan.late) {
      const ended = performance.now();
      await wait(PAST_DEADLINE_MS);
      const window = { start: startS, end: Math.floor(Date.now() / 1000) + 1 };
      await collectAccount({ client, dir, sweep: 1 });
      await collectSweep({ client, dir, window, sweep: 1 });
      await wait(Math.max(0, LATE_MS + PAST_DEADLINE_MS - (performance.now() - ended)));
    } else await wait(PAST_DEADLINE_MS);
    const judge = async (): Promise<Reconciliation> =>
      reconcile(await loadReconcileInput(dir, { key: 'exclusive', terms: AT_ONCE }));
    const reconciliation = await settle({
      ...SETTLE,
      readers: [{ client }],
      runDir: dir,
      startS,
      account: true,
      judge,
      onRound: () => undefined,
      interrupted: () => false,
    });
    const broken = brokenMoney(reconciliation);
    if (broken.length > 0) throw new Error(`the money of ${plan.name} does not add up: ${broken.join(', ')}`);
    const findings = reconciliation.findings.filter(({ provisional }) => !provisional);
    return {
      plan,
      fired: await gateway.fired(),
      ended: await gateway.ended(),
      findings,
      reconciliation,
    };
  } finally {
    await gateway.close();
    if (keep === undefined) rmSync(dir, { recursive: true, force: true });
  }
}
