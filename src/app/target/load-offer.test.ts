import { mkdtempSync, rmSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { loopbackServer, sendJson, TEST_KEY, testClient } from '../../client/loopback-server.test-support.ts';
import { Credentials } from '../../config/credentials.ts';
import { loadConfig } from '../../config/load-config.ts';
import { planTarget } from '../../plan/plan-target.ts';
import { bookDocument } from '../../reconcile/reconcile.test-support.ts';
import { type LoadOffer, planOffered, readLoadOffer } from './load-offer.ts';

type Answers = Readonly<Record<string, readonly [status: number, body: unknown]>>;

const MODELS = { object: 'list', data: [{ id: 'm', object: 'model' }] };
const NOT_FOUND = { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } };

/** What a server of these answers offers; any other path is 404. */
async function offerOf(
  answers: Answers,
  options: { key?: string; mode?: 'audit' | 'run' } = {},
): Promise<LoadOffer> {
  const respond = (response: ServerResponse, path: string): void =>
    sendJson(response, ...(answers[path] ?? ([404, NOT_FOUND] as const)));
  const server = await loopbackServer((_request, response, url) => respond(response, url.pathname));
  const runDir = mkdtempSync(join(tmpdir(), 'wb-offer-'));
  const { key, mode = 'run' } = options;
  const client = testClient(server.root, { apiKey: key, keyless: true });
  onTestFinished(async () => {
    await client.close();
    await server.close();
    rmSync(runDir, { recursive: true });
  });
  const config = loadConfig({ env: {}, cwd: runDir, flags: { target: server.root } });
  const target = planTarget(config.target);
  if (target === null) throw new Error('expected a target');
  const credentials = new Credentials({ apiKey: key ?? null, accessToken: null, userId: null });
  return readLoadOffer({ client, target, credentials }, runDir, config.billing, { mode });
}

test('a server with neither usage records nor a book has no bill, and needs no key', async () => {
  expect(await offerOf({ '/v1/models': [200, MODELS] })).toMatchObject({ models: ['m'], bill: 'none' });
});

test('one without a list of models is loaded all the same', async () => {
  expect(await offerOf({})).toMatchObject({ models: null, bill: 'none' });
  expect(await offerOf({ '/v1/models': [200, ['m']] })).toMatchObject({ models: null, bill: 'none' });
});

test('without a key a refusal of the usage records shows no bill; with one it shows a wrong key', async () => {
  const refusing: Answers = {
    '/v1/models': [401, NOT_FOUND],
    '/v1/usage/requests': [401, NOT_FOUND],
    '/pricing.usd.json': [401, NOT_FOUND],
  };
  expect(await offerOf(refusing)).toMatchObject({ models: null, bill: 'none' });
  await expect(offerOf(refusing, { key: TEST_KEY })).rejects.toMatchObject({ code: 'credentials_refused' });
});

test.each<[string, Answers]>([
  ['usage records', { '/v1/usage/requests': [200, { object: 'list', data: [] }] }],
  ['a readable price book', { '/pricing.usd.json': [200, bookDocument()] }],
  ['usage records that are not read now', { '/v1/usage/requests': [400, NOT_FOUND] }],
])('%s are a bill, which needs a key; a list may be missing', async (_what, answers) => {
  const listed: Answers = { ...answers, '/v1/models': [200, MODELS] };
  expect(await offerOf(listed, { key: TEST_KEY })).toMatchObject({ bill: 'served', models: ['m'] });
  await expect(offerOf(listed)).rejects.toMatchObject({ code: 'credential_missing', exitCode: 2 });
  expect(await offerOf(answers, { key: TEST_KEY })).toMatchObject({ bill: 'served', models: null });
  const broken: Answers = { ...answers, '/v1/models': [500, NOT_FOUND] };
  await expect(offerOf(broken, { key: TEST_KEY })).rejects.toMatchObject({ code: 'target_unreachable' });
});

test('a server that refuses every read is told by its own words', async () => {
  const busy = { error: { message: 'loading the model', type: 'x', code: 'busy' } };
  const all: Answers = Object.fromEntries(
    ['/v1/models', '/v1/usage/requests', '/pricing.usd.json'].map((path) => [path, [503, busy]]),
  );
  await expect(offerOf(all)).rejects.toMatchObject({
    exitCode: 3,
    message: expect.stringContaining('loading the model'),
  });
});

test('an audit of a server without a bill names the statuses and the command that measures it', async () => {
  const ended = await offerOf({ '/v1/models': [200, MODELS] }, { mode: 'audit' }).catch(
    (error: unknown) => error,
  );
  expect(ended).toMatchObject({
    code: 'no_bill',
    exitCode: 2,
    hint: expect.stringMatching(/^Use weighbridge run http:\/\/127\.0\.0\.1:\d+ with the same flags/),
  });
  expect(String(ended)).toMatch(
    /usage\/requests.* answered HTTP 404: File Not Found\. No paid call was sent/,
  );
  expect(String(ended)).toMatch(/pricing\.usd\.json: HTTP 404: File Not Found/);
});

test.each([
  [401, 'credentials_refused', 3, /--header 'Name: value'/],
  [404, 'model_needed', 2, /--model ID/],
])(
  'a list that is answered with %i is told by that status and its words, where no model is named',
  async (status, code, exitCode, hint) => {
    const refused = { error: { message: 'missing X-Tenant header', type: 'x', code: '' } };
    const paths = ['/v1/models', '/v1/usage/requests', '/pricing.usd.json'];
    const offer = await offerOf(Object.fromEntries(paths.map((path) => [path, [status, refused]])));
    const own = { target: 'http://127.0.0.1:1' };
    const target = planTarget(loadConfig({ env: {}, flags: own }).target);
    if (target === null) throw new Error('expected a target');
    const planned = (flags: { model?: string }) =>
      planOffered(loadConfig({ env: {}, flags: { rate: '1/s', ...own, ...flags } }), target, offer, {
        runId: 'r',
        now: 0,
      });
    expect(() => planned({})).toThrow(
      expect.objectContaining({
        code,
        exitCode,
        message: `The target gave no list of models. GET /v1/models gave HTTP ${status}: missing X-Tenant header.`,
        hint: expect.stringMatching(hint),
      }),
    );
    expect(planned({ model: 'm' }).plan.workload.scenarios).toHaveLength(1);
  },
);
