/**
 * What `weighbridge/record` costs a call: weighed calls against bare ones, turn by turn, with bare ones against bare ones
 * beside them. Once with answers made in the process, where nothing but the cost itself can differ, and once over a
 * loopback server in it. `node bench/record/main.ts [rounds]`.
 */
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { weighed } from '../../src/record/record.ts';
import { busySeconds } from '../common/busy-cpu.ts';
import { printTable } from '../common/print-table.ts';
import { type AddedTime, addedTime } from './added-time.ts';
import { SHAPES, type Shape } from './shapes.ts';

const ROUNDS = Number(process.argv[2] ?? 2000);
const WARM_UP = 300;
const TARGET_MS = 1;

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

async function call(through: typeof fetch, url: string, shape: Shape): Promise<void> {
  const answer = await through(url, {
    method: 'POST',
    headers: new Headers({ authorization: 'Bearer sk-bench', 'content-type': 'application/json' }),
    body: shape.request,
  });
  await answer.text();
}

/**
 * By the clock on the wall a call waits for whatever else the machine does; what two bare calls differ by is none of ours
 * in CPU time either. Where they differ by more than the mark, nothing can be told.
 */
function verdictOf({ added, floor }: AddedTime): string {
  if (added.wall.p99 <= TARGET_MS) return 'met';
  if (added.cpu.p99 <= TARGET_MS) return 'met in CPU time';
  if (floor.cpu.p99 > TARGET_MS) return 'cannot tell';
  return added.cpu.p99 - floor.cpu.p99 <= TARGET_MS ? 'met above the floor' : 'MISSED';
}

console.log(
  `Node ${process.version}, ${cpus().length} × ${cpus()[0]?.model}, load ${loadavg()[0]?.toFixed(1)}`,
);
const before = { busy: busySeconds(), own: process.cpuUsage() };
const rows = [
  [
    'ms, p50 / p99; floor: bare less bare',
    'bare',
    'added CPU',
    'mean',
    'floor CPU',
    'added wall',
    'floor wall',
    '',
  ],
];
for (const way of ways) {
  for (const shape of SHAPES) {
    const url = `${way.base}${shape.path}/v1/chat/completions`;
    const calls = {
      bare: () => call(way.bare, url, shape),
      weighed: () => call(way.weighed, url, shape),
    };
    const time = await addedTime(calls, ROUNDS, WARM_UP);
    const { added, floor } = time;
    const spreads = [added.wall, floor.wall].map(({ p50, p99 }) => `${p50.toFixed(2)} / ${p99.toFixed(2)}`);
    rows.push([
      `${way.name}: ${shape.name}`,
      time.bare_wall_p50.toFixed(2),
      `${added.cpu.p50.toFixed(2)} / ${added.cpu.p99.toFixed(2)}`,
      added.cpu.mean.toFixed(2),
      `${floor.cpu.p50.toFixed(2)} / ${floor.cpu.p99.toFixed(2)}`,
      ...spreads,
      verdictOf(time),
    ]);
  }
}
printTable(rows);
const cpu = process.cpuUsage(before.own);
const others = (busySeconds() ?? 0) - (before.busy ?? 0) - (cpu.user + cpu.system) / 1e6;
console.log(
  `${ROUNDS} rounds each; target: at most ${TARGET_MS} ms; CPU seconds of others ${others.toFixed(1)}`,
);
const counts = ways.map((way) => way.weighed.counts);
const written = counts.reduce((sum, { rows: made }) => sum + made, 0);
const failures = counts.reduce((sum, { failures: failed }) => sum + failed, 0);
const bytes = readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0);
console.log(`${written} rows, ${failures} failures, ${Math.round(bytes / written)} bytes of ledger a call`);
rmSync(dir, { recursive: true });
server.closeAllConnections();
server.close();
