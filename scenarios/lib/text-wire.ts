import type { PlannedCall } from 'k6/x/weighbridge';

/** One message of a conversation; the three formats spell it alike. */
export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

export interface TextWire {
  readonly path: string;
  readonly body: object;
  readonly headers?: Record<string, string>;
}

/** The messages vendor's version header: declared optional, to be included (interface §5). */
const MESSAGES_HEADERS = { 'anthropic-version': '2023-06-01' };

const STREAM_OPTIONS = { include_usage: true };

/** A text call in its wire format; `history` is what was said before it. A limit of undefined is not written. */
export function textWire(call: PlannedCall, stream: boolean, history: readonly Message[]): TextWire {
  const { kind, model, prompt } = call;
  const limit = call.max_tokens ?? undefined;
  if (kind === 'responses') {
    const input = history.length === 0 ? prompt : conversation(history, prompt);
    return { path: '/v1/responses', body: { model, input, max_output_tokens: limit, stream } };
  }
  const messages = conversation(history, prompt);
  if (kind === 'messages') {
    if (limit === undefined) {
      throw new Error(`scenario ${call.scenario}: a messages call needs max_tokens (interface §2)`);
    }
    const body = { model, messages, max_tokens: limit, stream };
    return { path: '/v1/messages', body, headers: MESSAGES_HEADERS };
  }
  const body = {
    model,
    messages,
    max_tokens: limit,
    stream,
    stream_options: stream ? STREAM_OPTIONS : undefined,
  };
  return { path: '/v1/chat/completions', body };
}

function conversation(history: readonly Message[], prompt: string): readonly Message[] {
  const last: Message = { role: 'user', content: prompt };
  return history.length === 0 ? [last] : [...history, last];
}
