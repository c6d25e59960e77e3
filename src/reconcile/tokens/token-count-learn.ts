import { z } from 'zod';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import type { ScenarioPlan } from '../../contracts/plan.ts';
import { isTextKind, TEXT_KINDS } from '../../core/call-kind.ts';
import { compareText } from '../../core/compare-text.ts';
import { markerOf } from '../../core/marker.ts';
import { markedPrompt, planCall, utf8Length } from '../../workload/call-plan.ts';
import type { OwnOutputs } from './own-outputs.ts';
import { countByEncoding, type EncodingName, encodingsOf } from './token-count-encodings.ts';

/** Calls of a model and kind whose tokens are counted, evenly over the run: counting takes time, and as many show it. */
export const MOST_COUNTED = 400;
/** Longer prompts are not counted. */
const MOST_PROMPT_BYTES = 32_768;
/** Calls that must be counted, and the share of them that must agree, before anything is known of a template. */
export const LEAST_CALLS = 50;
const LEAST_AGREEING_PERCENT = 95;

/** What the client itself counts of the prompt that it sent. */
export interface OwnCount {
  readonly encoding: EncodingName;
  /** Tokens of the text that was sent. */
  readonly prompt: number;
  /** Tokens that the target adds to every call of this model and kind. */
  readonly template: number;
}

/** By call id, of models of which the calls agree on one encoding and one template. */
export interface OwnCounts {
  readonly calls: ReadonlyMap<string, OwnCount>;
  /** Text calls that tell their usage, and how many of them have an own count. */
  readonly text_calls: number;
  /** Of answers; absent where none was counted. */
  readonly outputs?: OwnOutputs;
}

export const NO_OWN_COUNTS: OwnCounts = { calls: new Map(), text_calls: 0 };

const counted = new WeakMap<readonly CallRow[], OwnCounts>();

/**
 * Counts the prompts of a plan's calls. `plan` is plan.json as parsed; without one nothing is counted. The rows of one
 * array are those of one plan: asked for again, as each poll of open charges does, nothing is counted twice.
 */
export function ownCounts(plan: unknown, rows: readonly CallRow[]): OwnCounts {
  const known = counted.get(rows);
  if (known !== undefined) return known;
  const counts = countRows(plannedPrompts(plan), rows);
  counted.set(rows, counts);
  return counts;
}

function countRows(prompts: PlannedPrompts | null, rows: readonly CallRow[]): OwnCounts {
  const text = rows.filter(
    ({ kind, outcome, usage, model }) =>
      isTextKind(kind) && outcome === 'ok' && usage !== null && usage.input !== null && model !== null,
  );
  const calls = new Map<string, OwnCount>();
  if (prompts === null) return { calls, text_calls: text.length };
  const groups = Map.groupBy(text, ({ model, kind }) => JSON.stringify([model, kind]));
  for (const group of groups.values()) {
    for (const [callId, count] of learn(prompts, sampled(group))) calls.set(callId, count);
  }
  return { calls, text_calls: text.length };
}

/** The same calls whatever the order of the rows. */
function sampled(rows: readonly CallRow[]): readonly CallRow[] {
  const fitting = rows
    .filter(({ prompt_bytes: bytes }) => bytes !== null && bytes <= MOST_PROMPT_BYTES)
    .toSorted(
      (left, right) =>
        compareText(left.started_at, right.started_at) || compareText(left.call_id, right.call_id),
    );
  const step = Math.ceil(fitting.length / MOST_COUNTED);
  return step <= 1 ? fitting : fitting.filter((_, index) => index % step === 0);
}

/** The first encoding under which nearly all calls are told the same number of tokens beyond their own. */
function learn(prompts: PlannedPrompts, rows: readonly CallRow[]): readonly (readonly [string, OwnCount])[] {
  const texts = rows.flatMap((row) => {
    const prompt = prompts.of(row);
    return prompt === null ? [] : [{ row, prompt }];
  });
  if (texts.length < LEAST_CALLS) return [];
  for (const encoding of encodingsOf(rows[0]?.model ?? '')) {
    const counts = texts.map(({ row, prompt }) => ({ row, own: countByEncoding(encoding, prompt) }));
    const template = templateOf(counts.map(({ row, own }) => (row.usage?.input ?? 0) - own));
    if (template === null) continue;
    return counts.map(({ row, own }) => [row.call_id, { encoding, prompt: own, template }] as const);
  }
  return [];
}

/** What nearly all calls are told beyond their own tokens; null where they do not agree. Never assumed. */
export function templateOf(beyond: readonly number[]): number | null {
  if (beyond.length < LEAST_CALLS) return null;
  const [most] = [...Map.groupBy(beyond, (tokens) => tokens)].sort(
    ([one, some], [other, others]) => others.length - some.length || one - other,
  );
  if (most === undefined || most[1].length * 100 < beyond.length * LEAST_AGREEING_PERCENT) return null;
  // Fewer tokens than were sent is no template.
  return most[0] < 0 ? null : most[0];
}

const sizes = z.union([z.number(), z.array(z.number())]);

/** Of plan.json what the text of its prompts follows from. */
const promptPlan = z.looseObject({
  nonce: z.string(),
  workload: z.looseObject({
    seed: z.number(),
    scenarios: z.array(
      z.looseObject({
        name: z.string(),
        kind: z.string(),
        model: z.string(),
        body: z.string().optional(),
        text: z
          .looseObject({
            prompt_bytes: sizes,
            cached_share: z.number(),
            prompts: z.unknown(),
            watermark: z.looseObject({ modulus: z.number(), of: z.number(), first: z.number() }).nullable(),
          })
          .nullable(),
      }),
    ),
  }),
});

/** The prompts that the calls of a plan were made with. */
interface PlannedPrompts {
  /** Null where it cannot be made again: of a later turn, of a file of prompts, of a call that is not of the plan. */
  of(row: CallRow): string | null;
}

/** Null where the plan does not hold what prompts follow from. */
function plannedPrompts(plan: unknown): PlannedPrompts | null {
  const parsed = promptPlan.safeParse(plan);
  if (!parsed.success) return null;
  const { nonce, workload } = parsed.data;
  const scenarios = new Map(
    workload.scenarios.flatMap((scenario) => {
      const made = scenarioOf(scenario);
      return made === null ? [] : [[made.name, made] as const];
    }),
  );
  return {
    of(row) {
      const scenario = scenarios.get(row.scenario);
      if (scenario === undefined || row.iteration === null || row.prompt_bytes === null) return null;
      // A turn carries answers, and a further attempt is a call of its own with a marker of its own.
      if (row.attempt !== 1 || (row.turn ?? 1) !== 1 || row.model !== scenario.model) return null;
      const start = { prompt_bytes: row.prompt_bytes, max_tokens: null, stream: null };
      const call = planCall(workload.seed, scenario, row.iteration, { start });
      const prompt = markedPrompt(call, markerOf(nonce, row.call_id));
      return utf8Length(prompt) === row.prompt_bytes ? prompt : null;
    },
  };
}

type Parsed = z.infer<typeof promptPlan>['workload']['scenarios'][number];

/** What does not change a prompt is as in the plainest scenario. */
function scenarioOf({ name, kind, model, text, body }: Parsed): ScenarioPlan | null {
  const textKind = TEXT_KINDS.find((each) => each === kind);
  if (textKind === undefined || text === null || text.prompts !== null) return null;
  // Tools and the like are tokens, too, and nobody counts them.
  if (body !== undefined) return null;
  return {
    name,
    kind: textKind,
    model,
    arrival: {
      stages: [],
      max_calls: null,
      process: 'even',
      burstiness: 1,
      concurrency: null,
      trace: null,
    },
    max_in_flight: 1,
    text: {
      stream_share: 0,
      prompt_bytes: text.prompt_bytes,
      max_tokens: 1,
      cached_share: text.cached_share,
      prompts: null,
      session: null,
      watermark: text.watermark,
    },
    image: null,
    video: null,
    abort: null,
  };
}
