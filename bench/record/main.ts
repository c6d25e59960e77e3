/**
 * What `weighbridge/record` costs a call: the same calls through a bare `fetch` and through a weighed one,
 * in turns. Once
 * with answers made in the process, where nothing but the cost itself can differ, and once over a loopback
 * server in it.
 * `node bench/record/main.ts [pairs]`.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { weighed } from '../../src/record/record.ts';
import { busySeconds } from '../common/busy-cpu.ts';
import { printTable } from '../common/print-table.ts';

const PAIRS = Number(process.argv[2] ?? 2000);
const WARM_UP = 300;
const TARGET_MS = 1;
const EVENTS = 100;

interface Shape {
  readonly name: string;
  readonly path: string;
  readonly request: string;
  readonly type: string;
  readonly answer: readonly string[];
}

const usage = { prompt_tokens: 1200, completion_tokens: EVENTS };
const words = 'one more word of the answer ';

function chunk(at: number): string {
  const choices = [{ index: 0, delta: { content: words }, finish_reason: at === EVENTS - 1 ? 'stop' : null }];
  return `data: ${JSON.stringify({ id: 'chatcmpl-1', object: 'chat.completion.chunk', model: 'm', choices })}\n\n`;
}

function request(promptBytes: number, stream: boolean): string {
  return JSON.stringify({
    model: 'm',
    stream,
    messages: [{ role: 'user', content: 'x'.repeat(promptBytes) }],
  });
}

const plain = (chars: number): string =>
  JSON.stringify({
    id: 'chatcmpl-1',
    model: 'm',
    choices: [
      { index: 0, finish_reason: 'stop', message: { role: 'assistant', content: words.repeat(chars / 28) } },
    ],
    usage,
  });
const stream = [
  ...Array.from({ length: EVENTS }, (_, at) => chunk(at)),
  `data: ${JSON.stringify({ id: 'chatcmpl-1', model: 'm', choices: [], usage })}\n\n`,
  'data: [DONE]\n\n',
];

const SHAPES: readonly Shape[] = [
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
    answer: stream,
  },
];

interface Taken {
  /** From the call to the end of its body. */
  readonly ms: number;
  /**
   * Of this thread. Some kernels count it by ticks of milliseconds: only its mean over many calls tells
   * anything.
   */
  readonly cpu_ms: number;
}

async function timed(fetch: typeof globalThis.fetch, url: string, shape: Shape): Promise<Taken> {
  const cpu = process.threadCpuUsage();
  const start = performance.now();
  const answer = await fetch(url, {
    method: 'POST',
    headers: new Headers({ authorization: 'Bearer sk-bench', 'content-type': 'application/json' }),
    body: shape.request,
  });
  await answer.text();
  const ms = performance.now() - start;
  const { user, system } = process.threadCpuUsage(cpu);
  return { ms, cpu_ms: (user + system) / 1000 };
}

const ascending = (a: number, b: number): number => a - b;

function at(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** Answers in pieces that come at once. */
const here: typeof globalThis.fetch = (input) => {
  const shape = SHAPES.find(({ path }) => new URL(String(input)).pathname.startsWith(path));
  const pieces = (shape?.answer ?? []).map((text) => new TextEncoder().encode(text));
  const body = new ReadableStream<Uint8Array>({
    pull(controller): void {
      const piece = pieces.shift();
      if (piece === undefined) controller.close();
      else controller.enqueue(piece);
    },
  });
  return Promise.resolve(new Response(body, { headers: { 'content-type': shape?.type ?? 'text/plain' } }));
};

const server = createServer((incoming, response) => {
  const shape = SHAPES.find(({ path }) => incoming.url?.startsWith(path) === true);
  incoming.resume().on('end', () => {
    response.setHeader('content-type', shape?.type ?? 'text/plain');
    for (const part of shape?.answer ?? []) response.write(part);
    response.end();
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const address = server.address();
const loopback = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
const dir = mkdtempSync(join(tmpdir(), 'wb-bench-record-'));
const ways = [
  { name: 'in process', base: 'http://here', bare: here, weighed: weighed.wrap(here, { dir }) },
  { name: 'loopback', base: loopback, bare: fetch, weighed: weighed({ dir }) },
];

/** Pairs run together and in changing order, so that what else the machine does falls on both. */
async function measured(way: (typeof ways)[number], shape: Shape): Promise<string[]> {
  const url = `${way.base}${shape.path}/v1/chat/completions`;
  const bare: Taken[] = [];
  const own: Taken[] = [];
  for (let call = -WARM_UP; call < PAIRS; call += 1) {
    const first = call % 2 === 0;
    const one = await timed(first ? way.bare : way.weighed, url, shape);
    const two = await timed(first ? way.weighed : way.bare, url, shape);
    if (call < 0) continue;
    bare.push(first ? one : two);
    own.push(first ? two : one);
  }
  const wall = own.map(({ ms }, pair) => ms - (bare[pair]?.ms ?? Number.NaN)).sort(ascending);
  const cpu = meanCpu(own) - meanCpu(bare);
  const bareMs = bare.map(({ ms }) => ms).sort(ascending);
  const figures = [at(bareMs, 0.5), at(wall, 0.5), at(wall, 0.99), cpu];
  const met = at(wall, 0.99) <= TARGET_MS ? 'met' : at(wall, 0.5) <= TARGET_MS ? 'p50 met' : 'MISSED';
  return [`${way.name}: ${shape.name}`, ...figures.map((ms) => ms.toFixed(3)), met];
}

function meanCpu(taken: readonly Taken[]): number {
  return taken.reduce((sum, { cpu_ms }) => sum + cpu_ms, 0) / taken.length;
}

console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}`,
);
const before = { busy: busySeconds(), own: process.cpuUsage() };
const rows: string[][] = [['ms', 'bare p50', 'added p50', 'added p99', 'added CPU, mean', '']];
for (const way of ways) for (const shape of SHAPES) rows.push(await measured(way, shape));
printTable(rows);
const cpu = process.cpuUsage(before.own);
const others = (busySeconds() ?? 0) - (before.busy ?? 0) - (cpu.user + cpu.system) / 1e6;
console.log(
  `${PAIRS} pairs each; target: p50 and p99 at most ${TARGET_MS} ms; CPU seconds of others ${others.toFixed(1)}`,
);
const counts = ways.map((way) => way.weighed.counts);
const written = counts.reduce((sum, { rows: made }) => sum + made, 0);
const failures = counts.reduce((sum, { failures: failed }) => sum + failed, 0);
const bytes = readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);
console.log(`${written} rows, ${failures} failures, ${Math.round(bytes / written)} bytes of ledger a call`);
rmSync(dir, { recursive: true });
server.closeAllConnections();
server.close();
