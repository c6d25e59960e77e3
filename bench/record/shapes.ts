/** A call as the bench makes it: what is sent, and the answer in the pieces that it comes in. */
export interface Shape {
  readonly name: string;
  readonly path: string;
  readonly request: string;
  readonly type: string;
  readonly answer: readonly string[];
}

const EVENTS = 100;
const WORDS = 'one more word of the answer ';
const usage = { prompt_tokens: 1200, completion_tokens: EVENTS };

export const SHAPES: readonly Shape[] = [
  {
    name: 'plain, 2 kB in, 3 kB out',
    path: '/plain',
    request: request(2_000, false),
    type: 'application/json',
    answer: [plain(2_800)],
  },
  {
    name: 'plain, 200 kB in, 140 kB out',
    path: '/large',
    request: request(200_000, false),
    type: 'application/json',
    answer: [plain(140_000)],
  },
  {
    name: `streamed, ${EVENTS} events, a write each`,
    path: '/stream',
    request: request(2_000, true),
    type: 'text/event-stream',
    answer: streamed(),
  },
];

function request(promptBytes: number, stream: boolean): string {
  return JSON.stringify({
    model: 'm',
    stream,
    messages: [{ role: 'user', content: 'x'.repeat(promptBytes) }],
  });
}

function plain(chars: number): string {
  const message = { role: 'assistant', content: WORDS.repeat(chars / WORDS.length) };
  const choices = [{ index: 0, finish_reason: 'stop', message }];
  return JSON.stringify({ id: 'chatcmpl-1', model: 'm', choices, usage });
}

function streamed(): string[] {
  const chunk = (members: object): string =>
    `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', model: 'm', ...members })}\n\n`;
  const told = (at: number): object => ({
    choices: [{ index: 0, delta: { content: WORDS }, finish_reason: at === EVENTS - 1 ? 'stop' : null }],
  });
  return [
    ...Array.from({ length: EVENTS }, (_, at) => chunk(told(at))),
    chunk({ choices: [], usage }),
    'data: [DONE]\n\n',
  ];
}
