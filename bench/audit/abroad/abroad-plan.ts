import { type SeededRandom, seededRandom } from '../../../src/core/seeded-random.ts';
import type { Readings } from '../../../src/gateway/readings/readings.ts';
import type { WorldPlan } from '../call-world.ts';
import { shapeOf } from '../call-worlds.ts';
import { drawnTrouble } from '../honest-worlds.ts';
import type { CallShape, PlannedCall } from '../planned-call.ts';
import { type Planting, PRICE_PLANTINGS, RECORD_PLANTINGS } from '../plantings.ts';

/** Faults of one world, so that few calls show each often enough. */
const PLANTED = 2;
const INSTANCES = 3;
const LANES = 8;

/** What a stranger calls: a few models over and over, now and then a picture or a video. */
const STAPLES: readonly CallShape[] = [
  { kind: 'chat', model: 'aspen' },
  { kind: 'chat', model: 'aspen', stream: true },
  { kind: 'responses', model: 'aspen-mini' },
  { kind: 'messages', model: 'cedar-sonnet', prefix: { of: 'model', characters: 6000 } },
  { kind: 'chat', model: 'oak-think' },
  { kind: 'messages', model: 'oak-think' },
  { kind: 'image_job', model: 'lumen-image' },
  { kind: 'image', model: 'lumen-image-mini' },
  { kind: 'video', model: 'orbit-2' },
];

/** So many calls to a gateway with these readings, each charged rightly; a planted world has faults of two kinds among them. */
export function abroadPlan(
  seed: number,
  {
    readings,
    calls,
    planted,
  }: { readonly readings: Readings; readonly calls: number; readonly planted: boolean },
): WorldPlan {
  const random = seededRandom('abroad', seed, planted ? 'planted' : 'honest');
  const wrong = planted ? plantedCalls(random) : [];
  const right = Array.from({ length: calls - wrong.length }, () => honestCall(random));
  const all = [...right, ...wrong]
    .map((call) => ({ call, at: random.below(1_000_000) }))
    .sort((left, right) => left.at - right.at)
    .map(({ call }) => call);
  return {
    name: planted ? 'abroad, planted' : 'abroad, honest',
    seed,
    mix: `world ${seed}`,
    readings,
    phases: [{ calls: all, lanes: LANES }],
    honest: null,
    late: false,
  };
}

function honestCall(random: SeededRandom): PlannedCall {
  const staple = STAPLES[random.below(STAPLES.length)] ?? 'any_text';
  return drawnTrouble(random) ?? { shape: shapeOf(staple, random), faults: null };
}

/** Each planting has right calls of its own beside it: what is wrong everywhere may be a term. */
function plantedCalls(random: SeededRandom): readonly PlannedCall[] {
  const plantings = [...RECORD_PLANTINGS, ...PRICE_PLANTINGS].filter(({ shape }) => isPlain(shape));
  return Array.from({ length: PLANTED }, () => plantings[random.below(plantings.length)]).flatMap(
    (planting) => (planting === undefined ? [] : instancesOf(planting, random)),
  );
}

/** Its longest answer costs a cent, its usual one a hundredth of that. */
const TERSE_MODEL = 'fjord-chat';
/** Costs as much as an image. */
const CHEAP_FILM = 'quartz-lite:i2v';
/** What is charged a longest answer, or a thousand times too much, comes to dollars of other models. */
const DEAR = /above_possible|per_thousand/;

/** Keeps planted amounts of like size: one of a few dollars would outweigh all others. */
function ofLikeSize(faults: string, drawn: CallShape): CallShape {
  if (drawn.kind === 'video') return { ...drawn, model: CHEAP_FILM };
  return DEAR.test(faults) ? { ...drawn, model: TERSE_MODEL } : drawn;
}

/** A ledger keeps no odd names of models. */
function isPlain(shape: Planting['shape']): boolean {
  return typeof shape === 'string' || /^[\w.:/=,-]+$/.test(shape.model);
}

function instancesOf(
  { faults, shape, retried = false, least = INSTANCES }: Planting,
  random: SeededRandom,
): readonly PlannedCall[] {
  return Array.from({ length: Math.max(INSTANCES, least) }, () =>
    ofLikeSize(faults, shapeOf(shape, random)),
  ).flatMap((drawn) => [
    { shape: drawn, faults, retried },
    { shape: drawn, faults: null },
  ]);
}
