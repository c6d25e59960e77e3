import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { OWN_READINGS } from '../../src/gateway/readings/readings.ts';
import { startGateway } from '../../src/gateway/start-gateway.ts';
import { loadLedger } from '../../src/ledger/load-ledger.ts';
import { type FrontAnswer, type FrontOptions, type FrontRequest, frontOf } from '../support/front-of.ts';
import { type Finished, runWeighbridge, scratchDir, verdictOf } from '../support/run-weighbridge.ts';

const resultSchema = z.object({
  exit_codes: z.array(z.object({ code: z.number(), why: z.string() })),
  stopped: z.array(z.object({ reason: z.string() })),
  findings: z.array(z.object({ class: z.string() })),
  money: z
    .object({ charged: z.string().nullable(), difference: z.string().nullable(), records: z.number() })
    .nullable(),
  matching: z.array(z.object({ pass: z.string(), pairs: z.number() })).nullable(),
});

const failure = z.object({ error: z.object({ code: z.string(), message: z.string(), hint: z.string() }) });

function resultOf(finished: Finished): z.infer<typeof resultSchema> {
  return resultSchema.parse(JSON.parse(readFileSync(verdictOf(finished).result, 'utf8')));
}

interface Foreign {
  readonly mode: 'audit' | 'run';
  readonly front?: FrontOptions;
  readonly readings?: Partial<typeof OWN_READINGS>;
  readonly config?: readonly string[];
  readonly onStart?: (child: ChildProcess) => void;
}

/** Runs a command on a gateway of somebody else, which behaves as `front` says. */
async function onForeign({ mode, front = {}, readings = {}, config = [], onStart }: Foreign) {
  const out = scratchDir();
  const gateway = await startGateway({
    port: 0,
    seed: 4,
    latency: 'fast',
    readings: { ...OWN_READINGS, ...readings },
  });
  onTestFinished(() => gateway.close());
  const { url, seen } = await frontOf(gateway.ready.base_url, front);
  const file = join(out, 'own.yaml');
  writeFileSync(
    file,
    ['version: 1', 'duration: 3s', 'settle: {wait: 3s, poll: 500ms}', ...config, ''].join('\n'),
  );
  const runs = join(out, 'runs');
  const args = [mode, '--config', file, '--target', url, '--max-spend-usd', '50', '--out', runs];
  const finished = await runWeighbridge([...args, '--state', join(out, 'state'), '--json'], {
    ...(onStart === undefined ? {} : { onStart }),
    env: { WEIGHBRIDGE_API_KEY: gateway.ready.api_key },
  });
  const paid = seen.filter(({ method }) => method === 'POST').length;
  return { finished, paid, runs: existsSync(runs) ? readdirSync(runs) : [] };
}

const ONE_CHAT = ['traffic:', '  - {kind: chat, rate: 2/s, stream: 0}'];

/** Answers each paid call so, and passes on what is free. */
function toCalls(status: number, error: Readonly<Record<string, string>>) {
  return ({ method }: FrontRequest): FrontAnswer | null =>
    method === 'POST' ? { status, body: JSON.stringify({ error }) } : null;
}

const hangUp = ({ method }: FrontRequest) => (method === 'POST' ? 'hang_up' : null);

const UNKNOWN = {
  message: 'The model `m` does not exist',
  type: 'invalid_request_error',
  code: 'model_not_found',
};
const INVALID = { message: 'Invalid token', type: 'new_api_error', code: '' };
const TOO_NEW = {
  message:
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens'.",
  type: 'invalid_request_error',
  code: 'unsupported_parameter',
};

test.for([
  [
    '404',
    4,
    toCalls(404, UNKNOWN),
    /\(no_call_succeeded\): 6 of 6 ended http_error 404 model_not_found: The model/,
  ],
  [
    '401',
    3,
    toCalls(401, INVALID),
    /^the target refused every call that .*: 6 of 6 ended http_error 401: Invalid token/,
  ],
  ['nothing', 3, hangUp, /^the target answered no call: 6 of 6 ended net_error/],
] as const)('a run of which every call gets %s is no success: exit %i', async ([, code, answer, why]) => {
  const { finished, paid } = await onForeign({ mode: 'run', front: { answer }, config: ONE_CHAT });
  expect({ status: finished.status, paid, exit_codes: resultOf(finished).exit_codes }).toEqual({
    status: code,
    paid: 6,
    exit_codes: [{ code, why: expect.stringMatching(why) }],
  });
});

test.for([
  [
    '404 model_not_found',
    toCalls(404, UNKNOWN),
    4,
    'http_error 404 model_not_found: The model `m` does not exist',
    3,
  ],
  ['401', toCalls(401, INVALID), 3, 'http_error 401: Invalid token', 3],
  [
    '400 unsupported_parameter',
    toCalls(400, TOO_NEW),
    4,
    "http_error 400 unsupported_parameter: Unsupported parameter: 'max_tokens'",
    // The chat is sent again as the refusal asks for.
    4,
  ],
] as const)(
  'the trial of an audit that is answered %s says so first',
  async ([, answer, code, words, sent]) => {
    const { finished, paid } = await onForeign({ mode: 'audit', front: { answer } });
    const { exit_codes, stopped } = resultOf(finished);
    expect({ status: finished.status, codes: exit_codes.map((exit) => exit.code), paid }).toEqual({
      status: code,
      codes: [code, 7],
      paid: sent,
    });
    expect(stopped.map(({ reason }) => reason)).toEqual(
      Array.from({ length: 3 }, () => expect.stringContaining(`the trial call ended ${words}`)),
    );
    expect(finished.stderr).toContain(`trial chat: stopped: the trial call ended ${words}`);
    expect(finished.stderr.split('settling:')[0]).toContain(`  trial chat: ${words}`);
    expect(finished.stderr).not.toMatch(/no record is due|left no row/);
  },
);

test('an audit of a target that has no usage to read says so before anything is paid', async () => {
  const { finished, paid, runs } = await onForeign({
    mode: 'audit',
    front: {
      answer: ({ path }) =>
        path.startsWith('/v1/usage') ? { status: 404, body: '{"detail":"Not Found"}' } : null,
    },
  });
  const { error } = failure.parse(JSON.parse(finished.stdout));
  expect({ status: finished.status, code: error.code, paid, runs }).toEqual({
    status: 2,
    code: 'no_bill',
    paid: 0,
    runs: [],
  });
  expect(error.hint).toContain('weighbridge run');
});

const NO_IDS = { request_id: 'errors_only' } as const;

test('answers without a request id, on a key that nobody else uses: the whole bill is audited by tokens and time', async () => {
  const { finished } = await onForeign({
    mode: 'audit',
    front: { keep: [] },
    readings: NO_IDS,
    config: ['target: {key: exclusive}'],
  });
  expect(finished.stderr).toMatch(
    /trial chat: linked without a request id \(same model and token counts.*\), expected \$/,
  );
  const { exit_codes, findings, stopped, money, matching } = resultOf(finished);
  expect({ status: finished.status, exit_codes, findings, stopped }).toEqual({
    status: 0,
    exit_codes: [],
    findings: [],
    stopped: [],
  });
  expect(money).toMatchObject({ difference: '0' });
  expect(money?.records).toBeGreaterThan(9);
  expect(matching?.map(({ pass }) => pass)).toEqual(['fingerprint']);
});

test('Ctrl-C twice between trial and load: what was paid is said, exit 130', async () => {
  let asked = 0;
  const { finished, paid, runs } = await onForeign({
    mode: 'audit',
    onStart(child) {
      child.stderr?.on('data', (text: Buffer) => {
        if (asked === 0 && /trial messages: linked/.test(text.toString())) {
          asked = 1;
          child.kill('SIGINT');
        } else if (asked === 1 && /draining/.test(text.toString())) {
          // The load engine was started a moment ago and has not begun.
          asked = 2;
          child.kill('SIGINT');
        }
      });
    },
  });
  const { dir, run_id, exit_codes } = verdictOf(finished);
  expect({ status: finished.status, exit_codes, paid, asked }).toEqual({
    status: 130,
    exit_codes: [130],
    paid: 3,
    asked: 2,
  });
  expect(runs).toContain(run_id);
  expect(finished.stderr).not.toContain('made no call');
  expect(finished.stderr).toMatch(
    new RegExp(`paid: 3 calls were sent, which cost at most \\$0\\.\\d+; run ${run_id} in ${dir}`),
  );
  expect((await loadLedger(dir)).rows.length).toBe(3);
});
