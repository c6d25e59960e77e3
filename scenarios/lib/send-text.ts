import type { CallRequest, CallResult, Client } from 'k6/x/weighbridge';
import type { PlannedCall } from '../../src/core/call-plan.ts';
import type { CallIdentity } from './identity.ts';
import { identify } from './identity.ts';

/** The messages vendor's version header: declared optional, to be included (interface §5). */
const MESSAGES_VERSION = '2023-06-01';

/** One call of a text format, plain or streamed. */
export function sendText(client: Client, identity: CallIdentity, call: PlannedCall): Promise<CallResult> {
  const { ids, prompt, prompt_bytes } = identify(identity, 1, call.prompt);
  const { path, body, headers } = wireOf(call, prompt);
  const request: CallRequest = {
    ...ids,
    kind: call.kind,
    path,
    headers,
    body: JSON.stringify(body),
    auth: call.auth,
    model: call.model,
    prompt_bytes,
  };
  if (call.max_tokens !== null) request.max_tokens = call.max_tokens;
  return call.stream ? client.stream(request) : client.call(request);
}

interface Wire {
  readonly path: string;
  readonly body: object;
  readonly headers: Record<string, string>;
}

function wireOf(call: PlannedCall, prompt: string): Wire {
  const { model, stream } = call;
  const messages = [{ role: 'user', content: prompt }];
  const limit = call.max_tokens;
  if (call.kind === 'responses') {
    const body = { model, input: prompt, ...(limit === null ? {} : { max_output_tokens: limit }), stream };
    return { path: '/v1/responses', body, headers: {} };
  }
  if (call.kind === 'messages') {
    if (limit === null)
      throw new Error(`scenario of ${model}: a messages call needs max_tokens (interface §2)`);
    const body = { model, messages, max_tokens: limit, stream };
    return { path: '/v1/messages', body, headers: { 'anthropic-version': MESSAGES_VERSION } };
  }
  const body = {
    model,
    messages,
    ...(limit === null ? {} : { max_tokens: limit }),
    stream,
    ...(stream ? { stream_options: { include_usage: true } } : {}),
  };
  return { path: '/v1/chat/completions', body, headers: {} };
}
