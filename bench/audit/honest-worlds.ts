import { type SeededRandom, seededRandom } from '../../src/core/seeded-random.ts';
import type { WorldPlan } from './call-world.ts';
import { shapeOf } from './call-worlds.ts';
import type { PlannedCall } from './planned-call.ts';
import { PRICE_PLANTINGS } from './plantings.ts';
import { type MixName, readingsOf } from './reading-mixes.ts';

/** What an honest gateway and a hurried client do: cut, refused, failed, late and reordered traffic, rightly charged. */
const TROUBLES: readonly (Omit<PlannedCall, 'shape'> & {
  readonly on: 'any_text' | 'any_stream' | 'any_job';
})[] = [
  { on: 'any_stream', faults: 'net.fin_mid; after_events=9' },
  { on: 'any_stream', faults: 'net.eof_clean; after_events=6' },
  { on: 'any_stream', faults: 'net.no_terminator' },
  { on: 'any_stream', faults: null, leaves: 1 },
  { on: 'any_stream', faults: null, leaves: 2 },
  { on: 'any_text', faults: 'http.500' },
  { on: 'any_text', faults: 'http.503', retried: true },
  { on: 'any_text', faults: 'http.429_retry_after_0', retried: true },
  { on: 'any_text', faults: 'http.400_provider' },
  { on: 'any_text', faults: 'bill.late_record; after_ms=500' },
  { on: 'any_job', faults: 'sem.task_failed_200' },
  { on: 'any_job', faults: 'sem.task_failed_200, bill.late_refund; after_ms=500' },
  { on: 'any_job', faults: 'bill.late_record; after_ms=500' },
];
const TROUBLED_PERCENT = 30;

/** One honest run of so many calls over all kinds, formats and models, in an order and in lanes of its own. */
export function honestPlan(seed: number, mix: MixName, calls: number): WorldPlan {
  const random = seededRandom('bench-audit-honest', seed, mix);
  const shapes = PRICE_PLANTINGS.map(({ shape }) => shape);
  const made = Array.from({ length: calls }, (): PlannedCall => {
    const troubled = drawnTrouble(random);
    if (troubled !== null) return troubled;
    const drawn = shapes[random.below(shapes.length)] ?? 'any_text';
    return { shape: shapeOf(random.below(2) === 0 ? 'any_text' : drawn, random), faults: null };
  });
  return {
    name: 'honest',
    seed,
    mix,
    readings: readingsOf(mix),
    phases: [{ calls: made, lanes: 4 + random.below(16) }],
    honest: null,
    late: false,
  };
}

/** A call that goes wrong without a wrong charge, in three of ten draws; null else. */
export function drawnTrouble(random: SeededRandom): PlannedCall | null {
  const trouble = TROUBLES[random.below(TROUBLES.length)];
  if (trouble === undefined || random.below(100) >= TROUBLED_PERCENT) return null;
  const { on, ...rest } = trouble;
  return { ...rest, shape: shapeOf(on, random) };
}
