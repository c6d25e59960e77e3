import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { collectAccount } from '../../src/collect/collect-account.ts';
import { collectBook } from '../../src/collect/collect-book.ts';
import { collectSweep } from '../../src/collect/collect-sweep.ts';
import { PageSize } from '../../src/collect/page-size.ts';
import { readerState } from '../../src/collect/reader-state.ts';
import { seededRandom } from '../../src/core/seeded-random.ts';
import { type LoadedLedger, loadLedger } from '../../src/ledger/load-ledger.ts';
import { loadReconcileInput } from '../../src/reconcile/input/load-reconcile-input.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { worldOf } from '../../test/support/decidable.ts';
import { gradeOf, nameOf } from '../../test/support/fault-corpus.ts';
import { type BenchGateway, openBenchGateway } from './bench-gateway.ts';
import { CallDriver } from './call-driver.ts';
import { AT_ONCE } from './call-world.ts';
import type { Graded } from './grade-world.ts';
import { NOTES } from './notes.ts';
import type { PlannedCall } from './planned-call.ts';
import { READ_PLANTINGS, type ReadPlanting } from './read-plantings.ts';
import { type MixName, readingsOf } from './reading-mixes.ts';

const MODELS = [
  'aspen',
  'aspen-mini',
  'aspen-nano',
  'aspen',
  'aspen-mini',
  'aspen',
  'dune-pro',
  'aspen-mini',
];
const PAGE = 3;
const PAST_DEADLINE_MS = 1300;
/** Window before the first call, s. */
const BEFORE_S = 600;

export interface ReadWorld {
  readonly seed: number;
  readonly mix: MixName;
  /** Audits of each planting. */
  readonly instances: number;
  readonly wanted?: (fault: string) => boolean;
}

/** One gateway with honest calls, audited again and again while one fault of its reads after the other is planted. */
export async function runReadWorld({
  seed,
  mix,
  instances,
  wanted = () => true,
}: ReadWorld): Promise<readonly Graded[]> {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-power-'));
  const gateway = await openBenchGateway(seed, readingsOf(mix));
  try {
    const random = (call: number) => seededRandom('bench-audit-reads', mix, seed, call);
    const driver = new CallDriver({ ...gateway, dir: join(dir, 'calls'), random });
    const startS = Math.floor(Date.now() / 1000);
    await driver.drive(MODELS.map(callOf), 1);
    driver.close();
    await wait(PAST_DEADLINE_MS);
    const window = { start: startS - BEFORE_S, end: Math.floor(Date.now() / 1000) };
    const ledger = await loadLedger(dir);
    const graded: Graded[] = [];
    for (const planting of READ_PLANTINGS.filter(({ fault }) => wanted(fault))) {
      for (let instance = 0; instance < instances; instance += 1) {
        const run = join(dir, `${READ_PLANTINGS.indexOf(planting)}-${instance}`);
        graded.push(...(await audited({ gateway, window, planting, run, ledger, seed, mix })));
      }
    }
    return graded;
  } finally {
    await gateway.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

function callOf(model: string): PlannedCall {
  return { shape: { kind: 'responses', model, prompt: 40, limit: 4 }, faults: null };
}

interface Audited {
  readonly gateway: BenchGateway;
  readonly window: { readonly start: number; readonly end: number };
  readonly planting: ReadPlanting;
  /** A run folder of its own. */
  readonly run: string;
  readonly ledger: LoadedLedger;
  readonly seed: number;
  readonly mix: MixName;
}

async function audited(world: Audited): Promise<readonly Graded[]> {
  const { gateway, planting, run, ledger, seed, mix } = world;
  const before = (await gateway.fired()).length;
  await readAll(world);
  const fired = (await gateway.fired()).slice(before);
  const [first] = fired;
  // Only one of the two offsets moves a moment of today to another day.
  if (first === undefined) return [];
  const input = await loadReconcileInput(run, { ledger, key: 'exclusive', terms: AT_ONCE });
  const findings = reconcile(input).findings.filter(({ provisional }) => !provisional);
  const grade = gradeOf(first, worldOf(readingsOf(mix), 'run'));
  const head = { world: 'reads', mix, seed, fault: nameOf(grade) };
  const hit = new Set(fired.map(({ request_id }) => `read:${request_id}`));
  // Of a book the records are named that it left without a price; a read whose answer tells no id cannot be named.
  const namesReads = planting.reads !== 'book' && readingsOf(mix).request_id === 'headers';
  const right = findings.filter((finding) => finding.class === grade.class);
  const isFound = right.some(
    ({ evidence, direction }) =>
      direction === grade.direction && (!namesReads || evidence.some((one) => hit.has(one))),
  );
  return [
    {
      ...head,
      class: grade.class ?? '',
      decidable: grade.decidable,
      what: grade.decidable === 'no' ? 'beyond' : isFound ? 'found' : 'missed',
      request_id: first.request_id,
      told: `${JSON.stringify(planting.parameters)}, found ${findings.map((one) => `${one.class}/${one.rule}`).join(', ')}`,
    },
    ...findings
      .filter((finding) => finding.class !== grade.class && !NOTES.has(finding.class))
      .map((finding) => ({
        ...head,
        class: finding.class,
        what: 'false' as const,
        decidable: null,
        request_id: finding.request_id,
        told: `${JSON.stringify(planting.parameters)}: ${finding.rule}: ${finding.explanation}`,
      })),
  ];
}

/** What an audit reads, the planted fault at work in the reads that it is for. */
async function readAll({ gateway, window, planting, run: dir }: Audited): Promise<void> {
  const { client } = gateway;
  const plant = (when: object | null): Promise<void> =>
    gateway.control('PUT', '/faults', {
      faults: when === null ? [] : [{ fault: planting.fault, parameters: planting.parameters, when }],
    });
  await plant(null);
  const { reads } = planting;
  // The book that a call was charged by was read before it, unless no read ever tells of its model.
  if (reads !== 'book' || planting.parameters['variant'] === 'silent_change')
    await collectBook({ client, dir, sweep: 0 });
  await plant(reads === 'account' ? { nth: 2 } : { every: 1 });
  if (reads === 'book') await collectBook({ client, dir, sweep: 0 });
  for (let read = 0; read < 3; read += 1) await collectAccount({ client, dir, sweep: 0 });
  const state = readerState({ size: new PageSize(PAGE) });
  await collectSweep({ client, dir, window, sweep: 1, state });
  await collectSweep({ client, dir, window, sweep: 2, state, prove: true });
  await plant(null);
}
