import { spawnSync } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { UNWATCHED } from '../src/app/notices/unwatched.test-support.ts';
import { runProgram } from '../src/cli/program.ts';
import { ERRORS, type ErrorCode } from '../src/contracts/errors/error-code.ts';
import { EXIT } from '../src/contracts/exit-code.ts';
import { startGateway } from '../src/gateway/start-gateway.ts';

const ROOT = join(import.meta.dirname, '..');
const PAGE = readFileSync(join(ROOT, 'docs/errors.md'), 'utf8');
const MOST_WORDS = 25;

const dir = mkdtempSync(join(tmpdir(), 'wb-errors-'));
const file = (name: string, text: string): string => {
  writeFileSync(join(dir, name), text);
  return join(dir, name);
};

let gateway: Awaited<ReturnType<typeof startGateway>>;
let refusing: Listening;
let withoutBill: Listening;
beforeAll(async () => {
  gateway = await startGateway({ port: 0, seed: 1 });
  refusing = await listening((path) => [401, { error: { message: `no access to ${path}` } }]);
  withoutBill = await listening((path) =>
    path === '/v1/models' ? [200, { object: 'list', data: [{ id: 'm', object: 'model' }] }] : [404, {}],
  );
});
afterAll(async () => {
  for (const { server } of [refusing, withoutBill]) server.close();
  await gateway.close();
  rmSync(dir, { recursive: true });
});

interface Listening {
  readonly server: Server;
  readonly port: number;
}

async function listening(answer: (path: string) => readonly [number, unknown]): Promise<Listening> {
  const server = createServer((request, response) => {
    const [status, body] = answer(request.url ?? '');
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return { server, port: address.port };
}

interface Case {
  readonly code: ErrorCode;
  readonly args: () => readonly string[];
  /** What the message says beyond the code's own meaning, and what it tells to do. */
  readonly what: RegExp;
  readonly fix: RegExp;
  readonly env?: () => Readonly<Record<string, string>>;
}

const KEY = { WEIGHBRIDGE_API_KEY: 'sk-not-a-real-key' };
const HERE = 'http://127.0.0.1:9';
const GONE = 'does-not-exist';
const PRICES = join(ROOT, 'test/corpus/pricebooks/list.yaml');
const out = ['--out', join(dir, 'reports'), '--state', join(dir, 'state')];
const paid = ['--max-spend-usd', '1', ...out];
const month = ['reconcile', '--month', '2026-01', ...out];

const CASES: readonly Case[] = [
  { code: 'usage', args: () => ['run', '--rte', '5'], what: /unknown option '--rte'/, fix: /--help/ },
  {
    code: 'bad_flag',
    args: () => ['plan', HERE, '--target', 'http://127.0.0.1:8'],
    what: /given twice/,
    fix: /Leave one of them out/,
  },
  {
    code: 'bad_flag',
    args: () => ['run', '--find-capacity', '--step', '5'],
    what: /--step must be a duration .* but it is 5/,
    fix: /--help/,
  },
  {
    code: 'config_invalid',
    args: () => ['plan', '--config', file('bad.yaml', 'version: 1\nduration: [1m\n')],
    what: /bad\.yaml:\d+:\d+/,
    fix: /Correct each line/,
  },
  {
    code: 'config_invalid',
    args: () => ['plan', '--config', file('key.yaml', 'version: 1\ntrafic: []\n')],
    what: /key\.yaml:2:1 trafic: unknown key .*did you mean "traffic"/,
    fix: /Correct each line/,
  },
  {
    code: 'config_invalid',
    args: () => ['plan', HERE],
    env: () => ({ WEIGHBRIDGE_API_KEY_FILE: join(dir, GONE) }),
    what: /WEIGHBRIDGE_API_KEY_FILE: must be a file that can be read/,
    fix: /Put only the value into the file/,
  },
  {
    code: 'config_missing',
    args: () => ['plan', '--config', join(dir, GONE)],
    what: /does-not-exist does not exist or cannot be read/,
    fix: /Give the path of the file with --config/,
  },
  {
    code: 'config_exists',
    args: () => ['init', '--target', gateway.ready.base_url, '--out', file('there.yaml', '')],
    what: /there\.yaml already exists/,
    fix: /--force/,
  },
  {
    code: 'credential_missing',
    args: () => ['audit', '--target', gateway.ready.base_url, ...paid],
    env: () => ({}),
    what: /needs an API key, and none is set/,
    fix: /Set WEIGHBRIDGE_API_KEY/,
  },
  {
    code: 'key_file_without_target',
    args: () => ['run', '--key-file', file('key.txt', 'sk-not-a-real-key'), ...out],
    what: /--key-file needs a target/,
    fix: /Give the target with --target/,
  },
  {
    code: 'embedded_only',
    args: () => ['run', HERE, '--faults', file('faults.yaml', 'faults: []\n'), ...paid],
    what: /--faults works only with the embedded gateway/,
    fix: /Leave out --faults/,
  },
  {
    code: 'target_unreachable',
    args: () => ['audit', HERE, ...paid],
    what: /The target did not answer\. GET \/.* failed: .*ECONNREFUSED/,
    fix: /Check the address/,
  },
  {
    code: 'target_unreachable',
    args: () => ['audit', `https://127.0.0.1:${refusing.port}`, ...paid],
    what: /The connection to the target is not secure/,
    fix: /Begin the address with http:\/\//,
  },
  {
    code: 'credentials_refused',
    args: () => ['audit', `http://127.0.0.1:${refusing.port}`, ...paid],
    what: /The target refused the credentials\. GET \/v1\/models answered HTTP 401/,
    fix: /WEIGHBRIDGE_API_KEY/,
  },
  {
    code: 'no_bill',
    args: () => ['audit', `http://127.0.0.1:${withoutBill.port}`, ...paid],
    what: /serves no usage records.*No paid call was sent/,
    fix: /Use weighbridge run/,
  },
  {
    code: 'run_not_found',
    args: () => ['explain', 'x', '--out', dir],
    what: /There is no run and no audit in/,
    fix: /weighbridge reconcile --month/,
  },
  {
    code: 'target_missing',
    args: () => [...month, '--config', file('empty.yaml', 'version: 1\n')],
    what: /needs a gateway or files of records/,
    fix: /--target/,
  },
  {
    code: 'spend_cap_needed',
    args: () => ['audit', gateway.ready.base_url, ...out],
    env: () => ({ WEIGHBRIDGE_API_KEY: gateway.ready.api_key }),
    what: /no limit on what this run may spend/,
    fix: /--max-spend-usd 2\.00/,
  },
  {
    code: 'latency_unknown',
    args: () => ['gateway', '--port', '0', '--latency', 'realistc'],
    what: /--latency must be fast, .* Did you mean realistic\?/,
    fix: /latency\.yaml/,
  },
  {
    code: 'budget_exhausted',
    args: () => {
      const budget = 'budget: { usd_per_hour: "0.5", usd_per_day: "0.5" }';
      const config = file(
        'budget.yaml',
        `version: 1\ntarget: { url: "${gateway.ready.base_url}", ${budget} }\n`,
      );
      const plan = ['--instances', '2', '--out', join(dir, 'handed-out/plan.json')];
      mkdirSync(join(dir, 'handed-out'), { recursive: true });
      return ['plan', '--config', config, '--max-spend-usd', '1', '--state', join(dir, 'state'), ...plan];
    },
    env: () => ({ WEIGHBRIDGE_API_KEY: gateway.ready.api_key }),
    what: /has no room for \$1\. \$0\.5 of \$0\.5 is left in this hour/,
    fix: /Lower --max-spend-usd, or raise the budget/,
  },
  {
    code: 'capacity_needs_objectives',
    args: () => ['run', HERE, '--find-capacity', '--model', 'm', ...out],
    what: /needs at least one objective/,
    fix: /--objective ttft_p95=800ms/,
  },
  {
    code: 'period_invalid',
    args: () => ['reconcile', '--month', '2026-13', ...out],
    what: /--month must be YYYY-MM or last, but it is "2026-13"/,
    fix: /--month 2026-10/,
  },
  {
    code: 'gate_invalid',
    args: () => [...month, '--gate', 'S9'],
    what: /--gate must be S1, S2, S3 or S4/,
    fix: /--gate S2/,
  },
  {
    code: 'baseline_invalid',
    args: () => ['report', '--baseline', 'last-good', '--out', join(dir, 'reports')],
    what: /--baseline needs --max-regression/,
    fix: /--max-regression ttft_p95=10%/,
  },
  {
    code: 'prune_unbounded',
    args: () => ['reports', 'prune', '--out', dir],
    what: /Nothing was removed/,
    fix: /--keep 30/,
  },
  {
    code: 'run_not_found',
    args: () => ['report', '--run', '20260101T000000Z-dead', '--out', dir],
    what: /There is no run at .*20260101T000000Z-dead/,
    fix: /weighbridge audit/,
  },
  {
    code: 'ledger_missing',
    args: () => ['reconcile', '--ledger', join(dir, GONE), '--target', HERE, ...out],
    what: /does-not-exist/,
    fix: /Give/,
  },
  {
    code: 'records_missing',
    args: () => [...month, '--records', join(dir, GONE), '--pricebook', PRICES],
    what: /There is no file of usage records at .*does-not-exist/,
    fix: /NDJSON, JSON, CSV or Parquet/,
  },
  {
    code: 'records_corrupt',
    args: () => {
      const records = file('records.ndjson', '{"id":1}\nnot json\n{}\n');
      return [...month, '--records', records, '--pricebook', PRICES];
    },
    what: /records\.ndjson:\d/,
    fix: /Correct that line/,
  },
  {
    code: 'pricebook_missing',
    args: () => [
      ...month,
      '--config',
      file('empty.yaml', 'version: 1\n'),
      '--records',
      file('r.ndjson', '{}\n'),
    ],
    what: /need a price list, and none is given/,
    fix: /--pricebook FILE/,
  },
  {
    code: 'book_missing',
    args: () => ['pricebook', 'preview', join(dir, GONE)],
    what: /cannot read a price list at .*there is no such file/,
    fix: /Correct/,
  },
  {
    code: 'book_unreadable',
    args: () => ['pricebook', 'preview', file('broken.json', '{"a":')],
    what: /broken\.json cannot be read/,
    fix: /mapping/,
  },
  {
    code: 'out_unwritable',
    args: () => ['run', '--out', join(file('a-file', ''), 'reports')],
    what: /could not be created: E/,
    fix: /folder that you can write to/,
  },
  {
    code: 'port_taken',
    args: () => ['gateway', '--port', String(refusing.port)],
    what: /already uses port \d+/,
    fix: /--port 0/,
  },
  {
    code: 'file_unwritable',
    args: () => ['gateway', '--port', '0', '--journal', join(dir, 'no/such/journal.ndjson')],
    what: /journal\.ndjson cannot be written: ENOENT/,
    fix: /Its folder must exist/,
  },
  {
    code: 'unknown_scenario',
    args: () => ['gateway', '--port', '0', '--faults', 'scenario:overcharges'],
    what: /There is no fault scenario "overcharges"/,
    fix: /--list-faults/,
  },
  {
    code: 'k6_hash_missing',
    args: () => ['run', ...out],
    env: () => ({ WEIGHBRIDGE_K6: 'https://host.invalid/k6' }),
    what: /WEIGHBRIDGE_K6_SHA256 is not set/,
    fix: /Set WEIGHBRIDGE_K6_SHA256/,
  },
  {
    code: 'proxy_invalid',
    args: () => ['plan', 'http://gateway.invalid'],
    env: () => ({ ...KEY, HTTP_PROXY: 'ftp://proxy' }),
    what: /HTTP_PROXY must be an http, https or socks5 URL/,
    fix: /unset it/,
  },
  {
    code: 'ca_file_unusable',
    args: () => ['plan', 'https://127.0.0.1:9'],
    env: () => ({ ...KEY, WEIGHBRIDGE_CA_FILE: file('roots.pem', 'no certificate') }),
    what: /roots\.pem contains no PEM certificate/,
    fix: /unset the variable/,
  },
];

const failure = z.object({
  error: z.object({
    code: z.string(),
    message: z.string(),
    why: z.string(),
    hint: z.string(),
    page: z.string(),
  }),
  exit_codes: z.tuple([z.int()]),
});

async function provoked(args: readonly string[], env: Readonly<Record<string, string>>) {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const host = { out: (line: string) => stdout.push(line), err: (line: string) => stderr.push(line) };
  // Proxies and trusted roots are read from the environment of the process.
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  const status = await runProgram(args, { ...UNWATCHED, ...host, width: 100, env }).finally(() =>
    vi.unstubAllEnvs(),
  );
  return { status, stdout, stderr: stderr.join('\n') };
}

test('there are 30 and more', () => {
  expect(new Set(CASES.map(({ code }) => code)).size).toBeGreaterThanOrEqual(30);
});

test.each(CASES)('$code says what happened, why and what to do, and names its page', async (each) => {
  // Any file stands for the load engine: none of these commands comes to start it.
  const env = { WEIGHBRIDGE_K6: process.execPath, ...(each.env ?? (() => KEY))() };
  const { status, stdout, stderr } = await provoked([...each.args(), '--json'], env);
  const { why, exit = EXIT.usage } = ERRORS[each.code];
  expect(stderr).toMatch(new RegExp(`^ code: ${each.code} \\(.*docs/errors\\.md#${each.code}\\)$`, 'm'));
  expect(status).toBe(exit);
  expect(stderr).toMatch(new RegExp(`^error: (?:.|\\n)*${each.what.source}`, 'm'));
  expect(stderr).toMatch(new RegExp(`^  fix: .*${each.fix.source}`, 'm'));
  expect(stderr).toContain(`\n  why: ${why}\n`);
  expect(PAGE).toContain(`\n### \`${each.code}\`\n`);
  const { error, exit_codes } = failure.parse(JSON.parse(stdout.at(-1) ?? ''));
  expect({ code: error.code, exit_codes, why: error.why }).toEqual({
    code: each.code,
    exit_codes: [exit],
    why,
  });
  expect(error.page).toMatch(new RegExp(`docs/errors\\.md#${each.code}$`));
  expect(stderr).not.toContain(KEY.WEIGHBRIDGE_API_KEY);
});

test.runIf(process.platform === 'linux')('a full disk behind stdout is an error with its page, too', () => {
  const command = `"${process.execPath}" bin/weighbridge.mjs completion bash > /dev/full`;
  const { status, stderr } = spawnSync('/bin/sh', ['-c', command], { cwd: ROOT, encoding: 'utf8' });
  expect(stderr).toMatch(
    /^error: .*ENOSPC.*\n {2}why: .*\n {2}fix: .*\n code: stdout_failed \(docs\/errors\.md#/,
  );
  expect(status).toBe(EXIT.internal);
});

test('every text of the catalogue is whole sentences of at most 25 words', () => {
  for (const { means, why, fix } of Object.values(ERRORS))
    for (const text of [means, why, fix]) {
      expect(text).toMatch(/^[`A-Z].*\.$/);
      for (const sentence of text.split(/(?<=\.) (?=[`A-Z[])/))
        expect(sentence.split(' ').length, sentence).toBeLessThanOrEqual(MOST_WORDS);
    }
});

test('every code of the catalogue is that of an error in the sources', () => {
  const sources = globSync(['src/**/*.ts', 'bin/*.mjs'], { cwd: ROOT }).filter(
    (source) => !/^src\/contracts\/errors\/|\.test\.ts$/.test(source),
  );
  const texts = sources.map((source) => readFileSync(join(ROOT, source), 'utf8'));
  const named = new Set(texts.join('\n').match(/[a-z0-9_]{4,}/g));
  expect(Object.keys(ERRORS).filter((code) => !named.has(code))).toEqual([]);
});
