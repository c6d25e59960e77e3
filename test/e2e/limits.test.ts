import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { resultSchema } from '../../src/contracts/result.ts';
import { startGateway } from '../../src/gateway/start-gateway.ts';
import { loadLedger } from '../../src/ledger/load-ledger.ts';
import { renderVerdict } from '../../src/report/terminal/render-verdict.ts';
import { frontOf } from '../support/front-of.ts';
import {
  type Finished,
  ROOT,
  readNdjson,
  runWeighbridge,
  scratchDir,
  verdictOf,
} from '../support/run-weighbridge.ts';

const exits = z.object({ exit_codes: z.array(z.object({ code: z.number(), why: z.string() })) });
const findingLine = z.object({
  class: z.string(),
  rule: z.string(),
  severity: z.string(),
  call_id: z.string().nullable(),
  evidence: z.array(z.string()),
});

function written(dir: string, name: string, ...lines: string[]): string {
  const file = join(dir, name);
  writeFileSync(file, [...lines, ''].join('\n'));
  return file;
}

/** Status, and the reasons of one code. */
function ended(finished: Finished, code: number) {
  const { exit_codes } = exits.parse(JSON.parse(readFileSync(verdictOf(finished).result, 'utf8')));
  return {
    status: finished.status,
    why: exit_codes.flatMap((exit) => (exit.code === code ? [exit.why] : [])),
  };
}

test('a gateway that obeys limits in the trial and ignores them under load: the run stops, and it is a finding', async () => {
  const out = scratchDir();
  const { ready, close } = await startGateway({ port: 0, seed: 4, latency: 'fast' });
  onTestFinished(close);
  // It takes the output limit out of every call that is not the trial's.
  const { url } = await frontOf(ready.base_url, {
    send: ({ body, user_agent }) => (user_agent.endsWith('-trial') ? body : withoutLimit(body)),
  });
  const config = written(
    out,
    'own.yaml',
    'version: 1',
    'duration: 20s',
    'settle: {wait: 20s, poll: 500ms}',
    'traffic:',
    '  - {kind: chat, rate: 2/s, stream: 0, max_tokens: 16}',
  );
  const args = ['--config', config, '--target', url, '--max-spend-usd', '50'];
  const finished = await runWeighbridge(['audit', ...args, '--out', out, '--json'], {
    env: { WEIGHBRIDGE_API_KEY: ready.api_key },
  });
  expect(finished.stderr).toContain('the output limit binds');
  expect(finished.stderr).not.toContain('error:');
  const { dir, exit_codes } = verdictOf(finished);
  expect({ status: finished.status, codes: exit_codes.toSorted() }).toEqual({ status: 5, codes: [5, 6] });
  expect(ended(finished, 6).why).toEqual([expect.stringMatching(/used more than its reserve/)]);
  const [first, ...more] = readNdjson(join(dir, 'findings.ndjson'), findingLine);
  expect([first, ...more].map((finding) => finding?.class)).toEqual(
    Array.from({ length: more.length + 1 }, () => 'settle_above_reserve'),
  );
  expect(first).toMatchObject({ rule: 'output_above_limit', severity: 'S2' });
  expect(first?.evidence).toEqual([
    `call:${first?.call_id}`,
    expect.stringMatching(/^record:/),
    expect.stringMatching(/^request:/),
  ]);
  const { rows } = await loadLedger(dir);
  // The plan has 40 starts; after the first answer none was made.
  expect(rows.filter(({ instance }) => instance === 'i0').length).toBeLessThan(20);
});

function withoutLimit(text: string): string {
  const { max_tokens: _, ...rest } = z.record(z.string(), z.unknown()).parse(JSON.parse(text));
  return JSON.stringify(rest);
}

test('--keep-credit ends the run with 6 when too little of the quota is left', async () => {
  const out = scratchDir();
  const { ready, close } = await startGateway({ port: 0, seed: 4, latency: 'fast' });
  onTestFinished(close);
  const control = async (path: string, body: unknown): Promise<unknown> => {
    const answer = await fetch(`${ready.control_url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${ready.control_token}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify(body),
    });
    return answer.json();
  };
  const account = z
    .object({ user_id: z.number(), access_token: z.string() })
    .parse(await control('/accounts', { balance_usd: '0.2' }));
  const { api_key } = z
    .object({ api_key: z.string() })
    .parse(await control('/keys', { user_id: account.user_id }));
  const config = written(
    out,
    'own.yaml',
    'version: 1',
    'duration: 150s',
    'target: {key: exclusive}',
    'settle: {wait: 20s, poll: 500ms}',
    'traffic:',
    '  - {kind: image, rate: 2/s, max_in_flight: 4}',
  );
  const args = ['audit', '--config', config, '--target', ready.base_url, '--max-spend-usd', '50'];
  const all = [...args, '--keep-credit', '0.8', '--out', out, '--json'];
  const blind = await runWeighbridge(all, { env: { WEIGHBRIDGE_API_KEY: api_key } });
  expect({ status: blind.status, text: blind.stderr }).toEqual({
    status: 2,
    text: expect.stringContaining('WEIGHBRIDGE_ACCESS_TOKEN and WEIGHBRIDGE_USER_ID'),
  });
  const finished = await runWeighbridge(all, {
    env: {
      WEIGHBRIDGE_API_KEY: api_key,
      WEIGHBRIDGE_ACCESS_TOKEN: account.access_token,
      WEIGHBRIDGE_USER_ID: String(account.user_id),
    },
  });
  expect(ended(finished, 6)).toEqual({
    status: 6,
    why: [expect.stringMatching(/quota fell under the share/)],
  });
  const { states } = await loadLedger(verdictOf(finished).dir);
  expect(states.findLast(({ instance }) => instance === 'i0')).toMatchObject({
    final: true,
    halted: 'credit_kept',
  });
});

test.for([
  ['http.402_quota', '', 6, /insufficient_user_quota/, [3, 6, 7]],
  ['http.403_quota', '', 6, /insufficient_user_quota/, [3, 6, 7]],
  ['http.429_crowded', 'share_429: 0.5', 4, /limits\.stop\.share_429/, [4, 7]],
  ['http.503', 'share_5xx: 0.5', 4, /limits\.stop\.share_5xx/, [4, 7]],
] as const)('%s stops the run, of which no call succeeded', async ([fault, rule, code, why, codes]) => {
  const out = scratchDir();
  const all = 'select: {endpoint: /v1/chat/completions}, when: {probability: 1}';
  const faults = written(out, 'faults.yaml', 'faults:', `  - {fault: ${fault}, ${all}}`);
  const config = written(
    out,
    'own.yaml',
    'version: 1',
    'duration: 120s',
    'settle: {wait: 1s, poll: 500ms}',
    ...(rule === '' ? [] : [`limits: {stop: {over: 30s, min_calls: 5, ${rule}}}`]),
    'traffic:',
    '  - {kind: chat, rate: 4/s}',
  );
  const args = ['audit', '--config', config, '--faults', faults, '--out', out, '--json'];
  const finished = await runWeighbridge(args);
  expect(verdictOf(finished).exit_codes).toEqual(codes);
  expect(ended(finished, code).why).toContainEqual(expect.stringMatching(why));
  const { states } = await loadLedger(verdictOf(finished).dir);
  expect(states.at(-1)?.elapsed_ms).toBeLessThan(120_000);
});

test('a kind too dear for the cap stops alone and is named; cheaper kinds go on', async () => {
  const out = scratchDir();
  const config = written(
    out,
    'own.yaml',
    'version: 1',
    'duration: 2s',
    'spend: {max_usd: "0.3"}',
    'traffic:',
    '  - {kind: video, rate: 1/s}',
    '  - {kind: image, rate: 2/s}',
  );
  const finished = await runWeighbridge(['audit', '--config', config, '--out', out, '--json']);
  const { status, why } = ended(finished, 6);
  expect(status).toBe(6);
  expect(why).toEqual([
    expect.stringMatching(
      /^the spend cap stopped video calls of model \S+; \d+ calls? w\w+ not sent: one video call to \S+ can cost up to \$\S+, but only \$\S+ of the \$0\.3 spend cap was left\. A cap of \$\S+ would have allowed it$/,
    ),
  ]);
  const { rows, states } = await loadLedger(verdictOf(finished).dir);
  expect(rows.filter(({ kind, outcome }) => kind === 'image' && outcome === 'ok').length).toBe(4);
  expect(states.at(-1)?.halted).toBeNull();
});

test('a cap of one scenario stops it alone; the run goes on and ends 6', async () => {
  const out = scratchDir();
  const config = written(
    out,
    'own.yaml',
    'version: 1',
    'duration: 4s',
    'traffic:',
    '  - {kind: image, rate: 4/s, max_usd: "0.1"}',
    '  - {kind: chat, rate: 4/s}',
  );
  const finished = await runWeighbridge(['audit', '--config', config, '--out', out, '--json']);
  expect(ended(finished, 6)).toEqual({
    status: 6,
    why: [
      expect.stringMatching(
        /^the spend cap of scenario image was reached; \d+ calls were not sent: one image call to \S+ can cost up to \$/,
      ),
    ],
  });
  const { dir, result } = verdictOf(finished);
  const { rows, states } = await loadLedger(dir);
  expect(rows.filter(({ scenario, outcome }) => scenario === 'chat' && outcome === 'ok').length).toBe(16);
  expect(states.at(-1)?.halted).toBeNull();

  // The page shows a longer run of such a plan: the same lines with other figures, whatever is said of this machine.
  const page = readFileSync(join(ROOT, 'docs/spend.md'), 'utf8');
  const [, shown = ''] = /^```text\n(kind .+?)^```/ms.exec(page) ?? [];
  const printed = renderVerdict(resultSchema.parse(JSON.parse(readFileSync(result, 'utf8'))), { width: 100 });
  expect(withoutFigures(printed)).toEqual(withoutFigures(shown.trimEnd().split('\n')));
});

function withoutFigures(lines: readonly string[]): readonly string[] {
  return lines
    .filter((line) => !line.startsWith('client '))
    .map((line) =>
      line
        .replaceAll(/\d[\d.]*|–/g, 'N')
        .replaceAll(/ +/g, ' ')
        .replaceAll(/calls? (?:was|were)/g, 'calls were'),
    );
}
