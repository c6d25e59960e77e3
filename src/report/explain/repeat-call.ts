import type { CallRow } from '../../contracts/ledger-lines.ts';
import type { Plan, ScenarioPlan } from '../../contracts/plan.ts';
import { markerOf } from '../../core/marker.ts';
import { jsonOf } from '../../text/json-of.ts';
import { asObject, type JsonObject } from '../../wire/json-fields.ts';
import { markedPrompt, type PlannedCall, planCall, utf8Length } from '../../workload/call-plan.ts';

/** The shell expands the variable when the command runs: the key itself is never printed. */
const AUTH = {
  bearer: '-H "Authorization: Bearer $WEIGHBRIDGE_API_KEY"',
  'x-api-key': '-H "x-api-key: $WEIGHBRIDGE_API_KEY"',
} as const;

/**
 * Builds the curl command that sends a call once more; null where the plan alone cannot tell its body, as in a session,
 * for prompts from a file, a replayed trace or an edited picture.
 */
export function repeatCommand(plan: Plan, row: CallRow): string | null {
  const scenario = plan.workload.scenarios.find(({ name }) => name === row.scenario);
  const n = /^\d+$/.exec(row.logical_id.slice(row.scenario.length + 1))?.[0];
  if (scenario === undefined || n === undefined || !isFromPlan(scenario)) return null;
  const call = planCall(plan.workload.seed, scenario, Number(n));
  const prompt = markedPrompt(call, markerOf(plan.nonce, row.call_id));
  const own = bodyOf(scenario, { ...call, max_tokens: row.max_tokens, stream: row.stream }, prompt);
  if (own === null) return null;
  const members = asObject(jsonOf(scenario.body ?? '{}'));
  // A prompt of another size is not the one that was sent.
  const told = row.prompt_bytes ?? null;
  if (told !== null && told !== utf8Length(prompt) + (scenario.body?.length ?? 0)) return null;
  const version = row.kind === 'messages' ? ["-H 'anthropic-version: 2023-06-01'"] : [];
  return [
    `curl -sS${row.stream ? 'N' : ''} '${plan.target.root}${row.path}'`,
    AUTH[call.auth],
    ...version,
    "-H 'content-type: application/json'",
    `-d ${quoted(JSON.stringify({ ...own, ...members }))}`,
  ].join(' ');
}

function isFromPlan({ arrival, text }: ScenarioPlan): boolean {
  return arrival.trace === null && (text === null || (text.prompts === null && text.session === null));
}

/** The members in the order of xk6/traffic/text_request.go and of the scripts; null for edits, which carry a picture. */
function bodyOf({ text }: ScenarioPlan, call: PlannedCall, prompt: string): JsonObject | null {
  const { model, stream, image, video } = call;
  const conversation = [{ role: 'user', content: prompt }];
  const limit = (name: string) => (call.max_tokens === null ? {} : { [name]: call.max_tokens });
  const usage = stream ? { stream_options: { include_usage: true } } : {};
  switch (call.kind) {
    case 'chat': {
      const key = text?.max_tokens_key ?? 'max_tokens';
      return { model, messages: conversation, ...limit(key), stream, ...usage };
    }
    case 'completion':
      return { model, prompt, ...limit('max_tokens'), stream, ...usage };
    case 'embedding':
      return { model, input: prompt };
    case 'responses':
      return { model, input: prompt, ...limit('max_output_tokens'), stream };
    case 'messages':
      return { model, messages: conversation, ...limit('max_tokens'), stream };
    case 'image':
    case 'image_job':
      if (image === null) return null;
      return {
        ...{ model, prompt, size: image.size, quality: image.quality },
        ...{ response_format: image.response_format, n: 1 },
      };
    case 'video':
      return video === null ? null : { model, prompt, seconds: String(video.seconds), size: video.size };
    case 'image_edit':
    case 'image_edit_job':
      return null;
  }
}

/** One word of a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
