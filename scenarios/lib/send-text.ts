import {
  byteLength,
  type CallRequest,
  type CallResult,
  type Client,
  type PlannedCall,
  plannedCall,
} from 'k6/x/weighbridge';
import { type Message, textWire } from './text-wire.ts';

/** What a script may ask of all text calls. */
export interface TextManner {
  /** Streams calls that the plan makes plain. */
  readonly streamAll: boolean;
}

/** A text call, or all turns of a session. */
export function sendText(client: Client, call: PlannedCall, manner: TextManner): Promise<CallResult> {
  return call.think_ms === null
    ? send(client, call, manner, { messages: [], bytes: 0 })
    : sendSession(client, call, manner);
}

/** What was said before a turn. */
interface History {
  readonly messages: readonly Message[];
  readonly bytes: number;
}

/** Each turn carries what was said before it; one that fails ends the session. */
async function sendSession(client: Client, first: PlannedCall, manner: TextManner): Promise<CallResult> {
  const messages: Message[] = [];
  let bytes = 0;
  let call = first;
  for (;;) {
    const result = await send(client, call, manner, { messages, bytes });
    if (call.think_ms === null || result.outcome !== 'ok') return result;
    messages.push({ role: 'user', content: call.prompt });
    // An answer without visible text has nothing to carry on; formats refuse an empty one.
    if (result.text !== '') messages.push({ role: 'assistant', content: result.text });
    bytes += call.prompt_bytes + byteLength(result.text);
    await pause(call.think_ms);
    call = plannedCall(call.scenario, call.n, (call.turn ?? 1) + 1);
  }
}

function send(
  client: Client,
  call: PlannedCall,
  { streamAll }: TextManner,
  history: History,
): Promise<CallResult> {
  const stream = streamAll || call.stream;
  const wire = textWire(call, stream, history.messages);
  const request: CallRequest = { planned: call, path: wire.path, body: wire.body };
  if (wire.headers !== undefined) request.headers = wire.headers;
  if (history.bytes > 0) request.prompt_bytes = history.bytes + call.prompt_bytes;
  if (call.think_ms !== null) request.keep_text = true;
  return stream ? client.stream(request) : client.call(request);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
