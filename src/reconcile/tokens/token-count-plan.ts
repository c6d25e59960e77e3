import { z } from 'zod';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import type { ScenarioPlan } from '../../contracts/plan.ts';
import { TEXT_KINDS } from '../../core/call-kind.ts';
import { markerOf } from '../../core/marker.ts';
import { markedPrompt, planCall, utf8Length } from '../../workload/call-plan.ts';

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
export interface PlannedPrompts {
  /** Null where it cannot be made again: of a later turn, of a file of prompts, of a call that is not of the plan. */
  of(row: CallRow): string | null;
}

/** Null where the plan does not hold what prompts follow from. */
export function plannedPrompts(plan: unknown): PlannedPrompts | null {
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
function scenarioOf({ name, kind, model, text }: Parsed): ScenarioPlan | null {
  const textKind = TEXT_KINDS.find((each) => each === kind);
  if (textKind === undefined || text === null || text.prompts !== null) return null;
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
