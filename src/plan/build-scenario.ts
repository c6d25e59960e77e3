import type { ResolvedText, ResolvedTraffic } from '../config/resolved-config.ts';
import { SIZE_RANGES } from '../config/text-keys.ts';
import type { PromptFile, ScenarioPlan, SizeTable, TextShape } from '../contracts/plan.ts';
import { BYTES_PER_TOKEN_HUNDREDTHS } from '../core/prompt-text.ts';
import { MARKER_BYTES } from '../workload/call-plan.ts';
import { buildArrival } from './build-arrival.ts';
import { sizeTable } from './size-table.ts';

export interface ScenarioRequest {
  readonly traffic: ResolvedTraffic;
  readonly model: string;
  readonly durationMs: number;
  /** The file that `traffic` names, as it was read; null where it names none. */
  readonly prompts: PromptFile | null;
}

/** One scenario of the plan from one entry of the traffic and the model it calls. */
export function buildScenario({ traffic, model, durationMs, prompts }: ScenarioRequest): ScenarioPlan {
  const { name, kind, max_in_flight, text, image, video, abort } = traffic;
  return {
    name,
    kind,
    model,
    arrival: buildArrival(traffic, durationMs),
    max_in_flight,
    text: text === null ? null : textShape(text, prompts),
    image,
    video,
    abort,
  };
}

/** Without its watermark, which scenarios of one model share. */
function textShape(text: ResolvedText, prompts: PromptFile | null): TextShape {
  const { session, watermark_modulus: modulus } = text;
  return {
    stream_share: text.stream_share,
    prompt_bytes: prompts === null ? promptBytes(text.prompt_tokens) : MARKER_BYTES + prompts.max_bytes,
    max_tokens: sizeTable(text.max_tokens, SIZE_RANGES.max_tokens),
    cached_share: text.cached_share,
    prompts,
    session:
      session === null
        ? null
        : {
            turns: sizeTable(session.turns, SIZE_RANGES.turns),
            think_ms: sizeTable(session.think_ms, SIZE_RANGES.think_ms),
          },
    watermark: modulus === null ? null : { modulus, of: 1, first: 0 },
  };
}

function promptBytes(tokens: ResolvedText['prompt_tokens']): SizeTable {
  return sizeTable(tokens, SIZE_RANGES.prompt_tokens, (size) =>
    Math.max(MARKER_BYTES + 1, Math.round((size * BYTES_PER_TOKEN_HUNDREDTHS) / 100)),
  );
}
