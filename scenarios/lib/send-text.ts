import {
  type CallRequest,
  type CallResult,
  type Client,
  type Message,
  type PlannedCall,
  plannedCall,
} from 'k6/x/weighbridge';

/** What a script may ask of all text calls. */
export interface TextManner {
  /** Streams calls that the plan makes plain. */
  readonly streamAll: boolean;
}

/** A text call, or all turns of a session. */
export function sendText(client: Client, call: PlannedCall, manner: TextManner): Promise<CallResult> {
  return call.think_ms === null ? send(client, call, manner, null) : sendSession(client, call, manner);
}

/** Each turn carries what was said before it; one that fails ends the session. */
async function sendSession(client: Client, first: PlannedCall, manner: TextManner): Promise<CallResult> {
  const history: Message[] = [];
  let call = first;
  for (;;) {
    const result = await send(client, call, manner, history);
    if (call.think_ms === null || result.outcome !== 'ok') return result;
    history.push({ role: 'user', content: call.prompt });
    // An answer without visible text has nothing to carry on; formats refuse an empty one.
    if (result.text !== '') history.push({ role: 'assistant', content: result.text });
    await pause(call.think_ms);
    call = plannedCall(call.scenario, call.n, (call.turn ?? 1) + 1);
  }
}

function send(
  client: Client,
  call: PlannedCall,
  { streamAll }: TextManner,
  history: readonly Message[] | null,
): Promise<CallResult> {
  const request: CallRequest = { planned: call };
  if (history !== null) request.history = history;
  if (call.think_ms !== null) request.keep_text = true;
  return streamAll || call.stream ? client.stream(request) : client.call(request);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
