import { type SeededRandom, seededRandom } from '../../src/core/seeded-random.ts';
import type { Phase, WorldPlan } from './call-world.ts';
import type { CallShape, PlannedCall, ShapeKind } from './planned-call.ts';
import {
  FREE_MODEL,
  LATE_PLANTINGS,
  type Planting,
  PRICE_PLANTINGS,
  RECORD_PLANTINGS,
  REUSE,
  VERSION_PLANTINGS,
} from './plantings.ts';
import { type MixName, readingsOf } from './reading-mixes.ts';

export const GROUPS = ['records', 'prices', 'versions'] as const;
export type Group = (typeof GROUPS)[number];

/** Honest calls for one with a fault, by seed: the faults have several rates. */
const HONEST_SHARE = [1, 0, 2, 1, 4];
const LANES = 12;
const ANY_MODELS = [
  'aspen',
  'aspen-mini',
  'aspen-pro',
  'birch-4.1',
  'cedar-sonnet',
  'dune-pro',
  'fjord-chat',
];
const TEXT_KINDS: readonly ShapeKind[] = ['chat', 'responses', 'messages'];

export interface Amount {
  readonly seed: number;
  readonly mix: MixName;
  /** Instances of each planting. */
  readonly instances: number;
  /** Whether a planting takes part. */
  readonly wanted?: (faults: string) => boolean;
}

/** The calls of one world of the group. */
export function planOf(group: Group, amount: Amount): WorldPlan {
  const { seed, mix } = amount;
  const random = seededRandom('bench-audit-plan', group, mix, seed);
  const mixed = (plantings: readonly Planting[]): readonly PlannedCall[] =>
    shuffled(callsOf(plantings, amount, random), random);
  const phases: Readonly<Record<Group, () => readonly Phase[]>> = {
    records: () => [
      { calls: mixed(RECORD_PLANTINGS), lanes: LANES },
      { calls: inTurns(amount, random), lanes: 1 },
      { calls: mixed(LATE_PLANTINGS), lanes: LANES },
    ],
    prices: () => [
      {
        calls: primers(PRICE_PLANTINGS),
        lanes: LANES,
        prices: { models: { [FREE_MODEL]: { input: '0', output: '0' } } },
      },
      { calls: mixed(PRICE_PLANTINGS), lanes: LANES },
    ],
    versions: () => [
      { calls: mixed(VERSION_PLANTINGS.map((planting) => ({ ...planting, faults: '' }))), lanes: LANES },
      { calls: mixed(VERSION_PLANTINGS), lanes: LANES, prices: { factor: '1.25' } },
    ],
  };
  const made = phases[group]();
  const late = made.some(({ calls }) => calls.some(({ faults }) => faults !== null && isLate(faults)));
  return { name: group, seed, mix, readings: readingsOf(mix), phases: made, honest: honestShare(seed), late };
}

function honestShare(seed: number): number {
  return HONEST_SHARE[seed % HONEST_SHARE.length] ?? 1;
}

function isLate(faults: string): boolean {
  return LATE_PLANTINGS.some((planting) => planting.faults === faults);
}

function callsOf(
  plantings: readonly Planting[],
  { seed, instances, wanted = () => true }: Amount,
  random: SeededRandom,
): readonly PlannedCall[] {
  const honest = honestShare(seed);
  return plantings
    .filter(({ faults }) => faults === '' || wanted(faults))
    .flatMap(({ faults, shape, retried = false, least = 0 }) =>
      Array.from({ length: Math.max(instances, least) }, () => {
        const drawn = shapeOf(shape, random);
        return [
          { shape: drawn, faults: faults === '' ? null : faults, retried },
          ...Array.from({ length: honest }, () => ({ shape: shapeOf(shape, random), faults: null })),
        ];
      }).flat(),
    );
}

export function shapeOf(shape: Planting['shape'], random: SeededRandom): CallShape {
  if (typeof shape !== 'string') return shape;
  if (shape === 'any_job')
    return random.below(4) === 0
      ? { kind: 'video', model: 'orbit-2' }
      : { kind: 'image_job', model: random.below(2) === 0 ? 'lumen-image' : 'lumen-image-mini' };
  return {
    kind: TEXT_KINDS[random.below(TEXT_KINDS.length)] ?? 'chat',
    model: ANY_MODELS[random.below(ANY_MODELS.length)] ?? 'aspen',
    stream: shape === 'any_stream' || (shape === 'any_text' && random.below(2) === 0),
    // Longer than the part of a stream that comes before it is cut.
    limit: 24 + random.below(40),
  };
}

/** Calls after which shared prefixes are cached. */
function primers(plantings: readonly Planting[]): readonly PlannedCall[] {
  return plantings.flatMap(({ shape }) =>
    typeof shape !== 'string' && shape.prefix?.of === 'model' ? [{ shape, faults: null }] : [],
  );
}

/** One call after the other, since these faults take from the call before. */
function inTurns({ instances, wanted = () => true }: Amount, random: SeededRandom): readonly PlannedCall[] {
  if (!wanted(REUSE.faults)) return [];
  return Array.from({ length: instances }, () => [
    { shape: shapeOf(REUSE.shape, random), faults: null },
    { shape: shapeOf(REUSE.shape, random), faults: REUSE.faults },
    { shape: shapeOf(REUSE.shape, random), faults: null },
  ]).flat();
}

function shuffled<Item>(items: readonly Item[], random: SeededRandom): readonly Item[] {
  return items
    .map((item) => ({ item, at: random.next() }))
    .sort((left, right) => left.at - right.at)
    .map(({ item }) => item);
}
