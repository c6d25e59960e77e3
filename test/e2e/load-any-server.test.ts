import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createSecureServer, type ServerHttp2Stream } from 'node:http2';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { TestAuthority } from '../../src/client/test-certificate.test-support.ts';
import { MANNERS, type Manner, plainServer } from '../support/plain-server.ts';
import { readNdjson, runWeighbridge, scratchDir, verdictOf } from '../support/run-weighbridge.ts';

const resultSchema = z.object({
  money: z.null(),
  load: z.object({
    measured_s: z.number(),
    total: z.object({
      planned: z.number(),
      ok: z.number(),
      goodput: z.number(),
      tokens: z.object({ output: z.number() }).nullable(),
    }),
  }),
});

const MONEY = /money|price|bill|usd|\$|charge|cost|spen[dt]|paid|usage record/i;

/** One line without a file and without a key, in an empty folder. */
async function run(manner: Manner, ...flags: readonly string[]) {
  const server = await plainServer(manner);
  const cwd = scratchDir();
  const finished = await runWeighbridge(['run', server.url, ...flags, '--json'], { cwd });
  const told = () => {
    const { dir } = verdictOf(finished);
    const [summary = '', markdown = ''] = ['summary.txt', 'report.md'].map((name) =>
      readFileSync(join(dir, name), 'utf8'),
    );
    return { terminal: finished.stderr, summary, markdown };
  };
  const result = () => resultSchema.parse(JSON.parse(readFileSync(verdictOf(finished).result, 'utf8')));
  return { ...finished, server, result, told };
}

test.each<[keyof typeof MANNERS, readonly string[], string]>([
  ['llama.cpp', ['--model', 'any'], 'any'],
  ['vLLM', [], 'meta/tiny-instruct'],
  ['Ollama', [], 'tiny:1b'],
])('one line loads a server like %s, without a key', async (name, flags, model) => {
  const { status, stderr, server, result, told } = await run(
    MANNERS[name],
    ...flags,
    '--rate',
    '3/s',
    '--duration',
    '4s',
  );
  expect(stderr).not.toContain('error:');
  expect(status).toBe(0);
  expect(server.calls).toHaveLength(12);
  expect(new Set(server.calls.map((call) => call.model))).toEqual(new Set([model]));
  expect(server.calls.every(({ authorization }) => authorization === null)).toBe(true);
  expect(result().load.total).toMatchObject({ planned: 12, ok: 12, tokens: { output: expect.any(Number) } });
  const { terminal, summary, markdown } = told();
  for (const text of [terminal, summary, markdown]) expect(text).not.toMatch(MONEY);
  expect(terminal).toMatch(/\nverdict {3}12 of 12 calls succeeded, at 3\.00 starts\/s \(3\.00 asked\)\.\n/);
  expect(summary.trimEnd().split('\n')).toHaveLength(5);
});

test('prompts of a file are sent, and the run says which', async () => {
  const folder = scratchDir();
  const prompts = join(folder, 'prompts.txt');
  writeFileSync(prompts, 'How tall is a mill?\nWho grinds the corn?\n');
  const { status, stderr, server } = await run(
    MANNERS.vLLM,
    '--request-count',
    '4',
    '--prompt-file',
    prompts,
  );
  expect(status).toBe(0);
  expect(server.calls).toHaveLength(4);
  expect(stderr).toContain(`chat: 2 prompts of ${prompts}, in turn, a marker before each (SHA-256 `);
});

test('twenty at a time until a hundred are made', async () => {
  const { status, server, result } = await run(MANNERS.vLLM, '--concurrency', '20', '--request-count', '100');
  expect(status).toBe(0);
  expect(server.calls).toHaveLength(100);
  const { measured_s, total } = result().load;
  expect(total.ok).toBe(100);
  expect(total.goodput * measured_s).toBeCloseTo(100, 3);
});

test('flags alone search the highest rate that keeps an objective, and each step tells what it measured', async () => {
  const { status, stderr } = await run(
    MANNERS.vLLM,
    ...['--rate', '20/s', '--stream', '--find-capacity', '--step', '3s', '--most-steps', '1'],
    ...['--objective', 'ttft_p50=60s,error_share=1%'],
  );
  expect(stderr).toMatch(/^step {3}.* chat ttft p50 ms {2}chat error_share {2}verdict$/m);
  expect(stderr).toMatch(/^step1 .* {2}0 % {2}\w+$/m);
  // A machine that cannot keep up is no fault of the search.
  expect([0, 7]).toContain(status);
});

test.each([
  [400, 4],
  [401, 3],
])('a server that answers every call with %i ends the run with %i and its words', async (refused, code) => {
  const refusal = { status: refused, message: 'no calls on Tuesdays' };
  const { status, stderr } = await run({ ...MANNERS.vLLM, refusal }, '--rate', '3/s', '--duration', '2s');
  expect(status).toBe(code);
  expect(stderr).toContain(`http_error ${refused}: no calls on Tuesdays`);
});

test('what --save writes plans the same calls, and overwrites no file', async () => {
  const server = await plainServer(MANNERS.vLLM);
  const cwd = scratchDir();
  const planned = async (...args: readonly string[]) => {
    const { stdout, stderr, status } = await runWeighbridge(['plan', ...args, '--json'], { cwd });
    if (status !== 0) return { status, stderr };
    return z.object({ plan: z.object({ plan_hash: z.string() }) }).parse(JSON.parse(stdout)).plan;
  };
  const line = [server.url, '--rate', '3/s', '--duration', '2s', '--stream', '--save', 'load.yaml'];
  const first = await planned(...line);
  expect(first).toEqual({ plan_hash: expect.any(String) });
  expect(await planned('--config', 'load.yaml')).toEqual(first);
  expect(await planned(...line)).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('already exists'),
  });
  expect(server.calls).toEqual([]);
  expect(await runWeighbridge(['run', '--config', 'load.yaml'], { cwd })).toMatchObject({ status: 0 });
  expect(server.calls).toHaveLength(6);
});

/** Answers each chat by two words, over HTTP/2 alone. */
function answerStream(stream: ServerHttp2Stream, path: string): void {
  const isChat = path === '/v1/chat/completions';
  stream.respond({ ':status': isChat ? 200 : 404, 'content-type': 'text/event-stream' });
  const chunk = (delta: object, finish_reason: string | null): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason }] })}\n\n`;
  stream.end(isChat ? `${chunk({ content: 'two words' }, null)}${chunk({}, 'stop')}data: [DONE]\n\n` : '{}');
}

test('the same line loads a server over TLS and HTTP/2', async () => {
  const { authority, certificate, key } = new TestAuthority().issue('localhost');
  const server = createSecureServer({ key, cert: certificate });
  server.on('stream', (stream, headers) => answerStream(stream, String(headers[':path'])));
  await new Promise<void>((ready) => server.listen(0, 'localhost', ready));
  onTestFinished(() => void server.close());
  const address = server.address();
  const port = address === null || typeof address === 'string' ? 0 : address.port;
  const cwd = scratchDir();
  writeFileSync(join(cwd, 'ca.pem'), authority);
  const line = ['--model', 'm', '--stream', '--rate', '3/s', '--duration', '2s', '--json'];
  const finished = await runWeighbridge(['run', `https://localhost:${port}`, ...line], {
    cwd,
    env: { WEIGHBRIDGE_CA_FILE: join(cwd, 'ca.pem') },
  });
  expect(finished.status).toBe(0);
  const calls = readdirSync(join(verdictOf(finished).dir, 'calls')).flatMap((name) =>
    readNdjson(join(verdictOf(finished).dir, 'calls', name), z.looseObject({ proto: z.string().nullish() })),
  );
  expect(calls.flatMap(({ proto }) => proto ?? [])).toEqual(Array.from({ length: 6 }, () => 'HTTP/2.0'));
});
