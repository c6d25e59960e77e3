import { statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { UNWATCHED } from '../../src/app/notices/unwatched.test-support.ts';
import { runProgram } from '../../src/cli/program.ts';
import { loopbackServer, sendJson } from '../../src/client/loopback-server.test-support.ts';
import { type GatewayReady, startGateway } from '../../src/gateway/start-gateway.ts';
import { readArchive } from '../../src/pricebook/archive/archive-index.ts';
import { reordered } from '../../src/pricebook/reordered.test-support.ts';
import { listFiles, scratchDir } from '../support/run-weighbridge.ts';

type Document = Readonly<Record<string, unknown>>;

/** A gateway whose JSON answers are those of the embedded one, changed by `change`; `read` counts them by their path. */
async function liberalGateway(change: (path: string, answer: Document, read: number) => Document) {
  const running = await startGateway({ port: 0, seed: 7, latency: 'fast' });
  const reads = new Map<string, number>();
  const server = await loopbackServer(async (request, response, { pathname, search }) => {
    const { authorization = '' } = request.headers;
    const headers = authorization === '' ? {} : { authorization };
    const answer = await fetch(running.ready.base_url + pathname + search, { headers });
    const read = (reads.get(pathname) ?? 0) + 1;
    reads.set(pathname, read);
    sendJson(response, answer.status, change(pathname, Object(await answer.json()), read));
  });
  onTestFinished(async () => {
    await server.close();
    await running.close();
  });
  return { target: server.root, embedded: running.ready };
}

async function weighbridge(args: readonly string[], key: string) {
  const said: string[] = [];
  const code = await runProgram(args, {
    out: (line) => said.push(line),
    err: (line) => said.push(line),
    ...UNWATCHED,
    width: 200,
    env: { WEIGHBRIDGE_API_KEY: key },
  });
  return { code, said: said.join('\n') };
}

/** This many days from today. */
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

async function chat({ base_url, api_key }: GatewayReady): Promise<void> {
  const body = { model: 'aspen-mini', max_tokens: 9, messages: [{ role: 'user', content: 'A mill?' }] };
  const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' };
  const answer = await fetch(`${base_url}/v1/chat/completions`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  });
  await answer.arrayBuffer();
  // A period ends before the second that is under way.
  const over = Math.ceil(Date.now() / 1000 + 0.001) * 1000;
  while (Date.now() < over) await new Promise((resolve) => setTimeout(resolve, over - Date.now()));
}

test('a cursor of 4 MB ends the read with exit 7; the folder stays readable', async () => {
  const { target, embedded } = await liberalGateway((path, answer) =>
    path === '/v1/usage/requests' && Object(answer['data']).length > 0
      ? { ...answer, has_more: true, next_cursor: 'c'.repeat(4_000_000) }
      : answer,
  );
  await chat(embedded);
  const folders = ['--out', join(scratchDir(), 'reports'), '--state', join(scratchDir(), 'state')];
  const period = ['--from', day(-1), '--to', day(2)];
  const first = await weighbridge(
    ['reconcile', ...period, '--target', target, ...folders, '--json'],
    embedded.api_key,
  );
  const reason = 'the cursor to the next page has 4000000 bytes, more than the 8192 that are followed';
  expect(first.said).toContain(reason);
  expect(first.code).toBe(7);
  const { dir } = JSON.parse(first.said.split('\n').at(-1) ?? '');
  for (const file of listFiles(dir)) expect(statSync(file).size, file).toBeLessThan(200_000);
  for (const command of ['reconcile', 'report']) {
    const again = await weighbridge(
      [command, '--run', basename(dir), ...folders.slice(0, 2)],
      embedded.api_key,
    );
    expect(again.said).toContain(reason);
    expect(again.code).toBe(7);
  }
});

test('a model list that does not call itself a list is one', async () => {
  const { target, embedded } = await liberalGateway((path, answer) =>
    path === '/v1/models' ? { data: answer['data'] } : answer,
  );
  const folders = ['--out', join(scratchDir(), 'reports'), '--state', join(scratchDir(), 'state')];
  const doctor = await weighbridge(['doctor', '--target', target, ...folders], embedded.api_key);
  expect(doctor.said).toMatch(/the key may call \d+ models/);
  const pull = await weighbridge(['pull', '--target', target, ...folders.slice(2)], embedded.api_key);
  expect(pull.said).toMatch(/models \(key\): \d+ models, the first list that was archived/);
  expect(pull.code).toBe(0);
});

test('a price book that comes in another order at each read is one book', async () => {
  const { target, embedded } = await liberalGateway((path, answer, read) =>
    path === '/pricing.usd.json' && read % 2 === 0 ? Object(reordered(answer)) : answer,
  );
  const state = ['--state', join(scratchDir(), 'state')];
  const pull = async () => (await weighbridge(['pull', '--target', target, ...state], embedded.api_key)).said;
  expect(await pull()).toMatch(/pricebook: version .*, the first that was archived/);
  await chat(embedded);
  expect(await pull()).toMatch(/pricebook: version .*, unchanged/);
  const [archive = ''] = listFiles(state[1] ?? '').filter((file) => file.endsWith('index.ndjson'));
  const books = readArchive(dirname(archive)).filter(({ what }) => what === 'book');
  expect(new Set(books.map(({ sha256 }) => sha256)).size).toBe(2);
  const period = ['--from', day(-1), '--to', day(2), '--target', target];
  const out = ['--out', join(scratchDir(), 'reports'), ...state, '--json'];
  const audit = await weighbridge(['reconcile', ...period, ...out], embedded.api_key);
  expect(audit.said).toContain('findings  none');
  expect(audit.code).toBe(0);
  const { dir } = JSON.parse(audit.said.split('\n').at(-1) ?? '');
  expect(listFiles(join(dir, 'books'))).toHaveLength(2);
});
