import type { ResolvedTraffic } from '../config/resolved-config.ts';
import { MARKER_BYTES } from '../core/call-plan.ts';
import type { ScenarioPlan } from '../core/plan.ts';
import { BYTES_PER_TOKEN_HUNDREDTHS } from '../core/prompt-text.ts';
import { buildArrival } from './build-arrival.ts';

/** One scenario of the plan from one entry of the traffic and the model it calls. */
export function buildScenario(traffic: ResolvedTraffic, model: string, durationMs: number): ScenarioPlan {
  const { name, kind, max_in_flight, text, image, video } = traffic;
  return {
    name,
    kind,
    model,
    arrival: buildArrival(traffic, durationMs),
    max_in_flight,
    text:
      text === null
        ? null
        : {
            stream_share: text.stream_share,
            prompt_bytes: promptBytes(text.prompt_tokens),
            max_tokens: text.max_tokens,
            cached_share: 0,
            prompts: null,
            session: null,
            watermark: null,
          },
    image,
    video,
    abort: null,
  };
}

function promptBytes(tokens: number): number {
  return Math.max(MARKER_BYTES + 1, Math.round((tokens * BYTES_PER_TOKEN_HUNDREDTHS) / 100));
}
