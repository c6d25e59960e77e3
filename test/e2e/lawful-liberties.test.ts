import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runProgram } from '../../src/cli/program.ts';
import { loopbackServer, sendJson } from '../../src/client/loopback-server.test-support.ts';
import { startGateway } from '../../src/gateway/start-gateway.ts';
import { scratchDir } from '../support/run-weighbridge.ts';

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
    redraw: () => undefined,
    live: false,
    width: 200,
    env: { WEIGHBRIDGE_API_KEY: key },
  });
  return { code, said: said.join('\n') };
}

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
