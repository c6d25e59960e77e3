import * as z from 'zod';

const headers = z.record(z.string(), z.string());

/** What the gateway sent for each request of the load: the bare server sends the same bytes. */
export const recordingSchema = z.object({
  answers: z.array(z.object({ headers, body: z.string() })),
  streams: z.array(z.object({ headers, events: z.array(z.object({ text: z.string(), at_ms: z.number() })) })),
});
export type Recording = z.infer<typeof recordingSchema>;

/** Pace of the streams: 20 events a second. */
export const EVENT_MS = 50;
/** Text events of a stream. */
export const TEXTS = 200;
/** Texts asked of the plain calls. */
const ANSWER_TOKENS = 80;
const KEPT = 64;

/** The headers that node:http writes by itself. */
const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding']);

export interface Load {
  /** Bodies of plain and of streamed requests; every stream has exactly TEXTS events of text. */
  readonly plain: readonly string[];
  readonly streamed: readonly string[];
}

function body(prompt: string, max_tokens: number, stream: boolean): string {
  return JSON.stringify({
    model: 'aspen-mini',
    messages: [{ role: 'user', content: prompt }],
    max_tokens,
    stream,
  });
}

interface Target {
  readonly base_url: string;
  readonly api_key: string;
}

/** Finds prompts whose replies are long enough and records what the gateway, which must answer at once, sends. */
export async function record(target: Target): Promise<{ load: Load; recording: Recording }> {
  const plain: string[] = [];
  const streamed: string[] = [];
  const recording: Recording = { answers: [], streams: [] };
  for (let index = 0; streamed.length < KEPT; index += 1) {
    const prompt = `Tell me in a few sentences how number ${index} of the harbour cranes is weighed, and by whom.`;
    if (plain.length < KEPT) {
      plain.push(body(prompt, ANSWER_TOKENS, false));
      const { headers: sent, text } = await ask(target, body(prompt, ANSWER_TOKENS, false));
      recording.answers.push({ headers: sent, body: text });
    }
    const { headers: sent, text } = await ask(target, body(prompt, TEXTS, true));
    const events = text.split('\n\n').slice(0, -1);
    // Opening, texts, end of choice, terminator.
    if (events.length !== TEXTS + 3) continue;
    streamed.push(body(prompt, TEXTS, true));
    recording.streams.push({
      headers: sent,
      events: events.map((event, place) => ({
        text: `${event}\n\n`,
        at_ms: place === 0 ? EVENT_MS / 2 : EVENT_MS * Math.min(place, TEXTS),
      })),
    });
  }
  return { load: { plain, streamed }, recording };
}

async function ask(
  { base_url, api_key }: Target,
  text: string,
): Promise<{ headers: Record<string, string>; text: string }> {
  const response = await fetch(`${base_url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
    body: text,
  });
  if (!response.ok) throw new Error(`expected 200, found ${response.status}: ${await response.text()}`);
  const headers = Object.fromEntries([...response.headers].filter(([name]) => !OWN_HEADERS.has(name)));
  return { headers, text: await response.text() };
}
