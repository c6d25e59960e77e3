import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { shownOn } from '../../../test/support/docs/shown-commands.ts';
import { faultPlanOf } from '../../app/gateway/serve-gateway.ts';
import { UNWATCHED } from '../../app/notices/unwatched.test-support.ts';
import { FAULTS } from '../../gateway/faults/fault-registry.ts';
import { SCENARIOS } from '../../gateway/faults/scenarios/scenarios.ts';
import { runProgram } from '../program.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'weighbridge-gateway-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function run(...args: string[]): Promise<{ status: number; out: string; err: string }> {
  const out: string[] = [];
  const err: string[] = [];
  const status = await runProgram(['gateway', ...args], {
    out: (line) => out.push(line),
    err: (line) => err.push(line),
    ...UNWATCHED,
    width: 100,
    env: {},
  });
  return { status, out: out.join('\n'), err: err.join('\n') };
}

function file(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

describe('--list-faults', () => {
  test('has a row for each fault, with its parameters, and each scenario; nothing serves', async () => {
    const { status, out } = await run('--list-faults');
    expect(status).toBe(0);
    const rows = [...out.matchAll(/^([a-z]+\.[a-z0-9_]+) /gm)].map(([, id]) => id);
    expect(rows).toEqual(FAULTS.map(({ id }) => id));
    expect(out).toMatch(/^net\.refuse +no effect +Answers this request/m);
    expect(out).toContain('    for_ms (integer 1 to 600000; default 1000): How long no connection is taken.');
    expect(out).toContain('    after_events (integer 0 to 1000000; has to be given): ');
    for (const { name, what_happened } of SCENARIOS) expect(out).toContain(`${name}\n    ${what_happened}`);
  });

  test('is an array with --json', async () => {
    const entry = z.looseObject({ kind: z.enum(['fault', 'scenario']) });
    const { out } = await run('--list-faults', '--json');
    const entries = z.array(entry).parse(JSON.parse(out));
    expect(entries).toHaveLength(FAULTS.length + SCENARIOS.length);
    expect(entries.find((found) => found['id'] === 'http.429_retry_after_s')).toEqual({
      kind: 'fault',
      id: 'http.429_retry_after_s',
      summary: expect.stringContaining('Retry-After'),
      hits: 'every request',
      endpoints: expect.arrayContaining(['/v1/chat/completions', '/api/user/self', '/pricing.usd.json']),
      charge: 'not_charged',
      parameters: [
        {
          name: 'seconds',
          takes: 'integer 0 to 86400',
          default: 2,
          description: 'How long the client is told to wait.',
        },
      ],
    });
  });
});

describe('what is given wrongly is refused before anything serves, exit 2', () => {
  test.each([
    [['--faults', 'scenario:two-429'], 'unknown_scenario', 'Did you mean "two-429-then-success"?'],
    [['--faults', 'nowhere/plan.yaml'], 'file_unreadable', '--faults'],
    [['--latency', 'realstic'], 'latency_unknown', 'Did you mean realistic?'],
    [['--latency', 'nowhere/latency.yaml'], 'file_unreadable', '--latency'],
    [['--plain', '--quirks', 'no-don'], 'quirk_unknown', 'did you mean no-done?'],
    [['--quirks', 'no-done'], 'quirk_invalid', 'Add --plain'],
    [['--dialect', 'newapi'], 'dialect_unknown', 'did you mean new-api?'],
    [['--dialect', 'litellm', '--quirks', 'stored-prompt'], 'quirk_unknown', 'did you mean stored-prompts?'],
    [
      ['--dialect', 'litellm', '--plain'],
      'quirk_invalid',
      '--plain and --dialect litellm cannot be used together',
    ],
    [['--readings', 'nowhere/readings.yaml'], 'file_unreadable', '--readings'],
  ])('%j', async (args, code, text) => {
    const { status, err } = await run(...args);
    expect([status, err]).toEqual([2, expect.stringContaining(`code: ${code}`)]);
    expect(err).toContain(text);
  });

  test('a file by its line and column', async () => {
    const faults = await run('--faults', file('plan.yaml', 'faults:\n  - fault: net.eof\n'));
    expect([faults.status, faults.err]).toEqual([2, expect.stringContaining('plan.yaml:2:12')]);
    const latency = await run('--latency', file('latency.yaml', 'preset: fats\n'));
    expect([latency.status, latency.err]).toEqual([2, expect.stringContaining('latency.yaml:1:9')]);
    const readings = await run('--readings', file('readings.yaml', 'no_such: 1\n'));
    expect([readings.status, readings.err]).toEqual([2, expect.stringContaining('readings.yaml:1:1')]);
  });
});

test('every scenario is a plan of its own', () => {
  for (const { name, faults } of SCENARIOS) {
    expect(faultPlanOf(`scenario:${name}`).faults.map(({ fault }) => fault)).toEqual(
      faults.map(({ fault }) => fault),
    );
  }
});

const ENTRY = fileURLToPath(new URL('../../../bin/weighbridge.mjs', import.meta.url));
const readyLine = z.object({ base_url: z.string(), api_key: z.string().optional() });

/** The command as a process of its own, until `use` is over. */
async function served<T>(
  args: readonly string[],
  use: (ready: z.infer<typeof readyLine>) => Promise<T>,
): Promise<T> {
  const child = spawn(process.execPath, [ENTRY, 'gateway', '--port', '0', '--json', ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  try {
    const [line] = await once(createInterface({ input: child.stdout }), 'line');
    return await use(readyLine.parse(JSON.parse(String(line))));
  } finally {
    child.kill('SIGTERM');
    expect((await ended)[0]).toBe(0);
  }
}

test.runIf(process.platform === 'linux')(
  'a journal on a full disk ends it with exit 1 and the usual lines, and no call has a false success',
  async () => {
    const args = [ENTRY, 'gateway', '--port', '0', '--json', '--latency', 'fast', '--journal', '/dev/full'];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => void child.kill('SIGKILL'));
    const ended = once(child, 'close');
    const errors: string[] = [];
    createInterface({ input: child.stderr }).on('line', (line) => errors.push(line));
    const lines = createInterface({ input: child.stdout });
    const [first] = await once(lines, 'line');
    const last = once(lines, 'line');
    const { base_url, api_key } = readyLine.parse(JSON.parse(String(first)));
    const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ model: 'aspen-mini', messages: [{ role: 'user', content: 'x' }] });
    await expect(
      fetch(`${base_url}/v1/chat/completions`, { method: 'POST', headers, body }),
    ).rejects.toThrow();
    expect((await ended)[0]).toBe(1);
    expect(errors).toEqual([
      'error: expected to write to /dev/full, found ENOSPC',
      expect.stringMatching(/^ *why: The disk is full/),
      expect.stringMatching(/^ *fix: /),
      expect.stringMatching(/^ *code: journal_unwritable/),
    ]);
    expect(JSON.parse(String((await last)[0]))).toMatchObject({ exit_codes: [1] });
  },
);

test('a dialect and its quirks reach the gateway', async () => {
  const args = ['--dialect', 'new-api', '--quirks', 'error-rows', '--latency', 'fast'];
  await served(args, async ({ base_url, api_key }) => {
    const status = z.object({ data: z.object({ quota_per_unit: z.number() }) });
    const { data } = status.parse(await (await fetch(`${base_url}/api/status`)).json());
    expect(data.quota_per_unit).toBe(500_000);
    const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' };
    const body = JSON.stringify({
      model: 'aspen-mini',
      messages: [{ role: 'user', content: 'x' }],
      max_tokens: 99_999,
    });
    await fetch(`${base_url}/v1/chat/completions`, { method: 'POST', headers, body });
    const log = await (await fetch(`${base_url}/api/log/token`, { headers })).json();
    expect(log).toMatchObject({ data: [{ type: 5 }] });
  });
});

test('the flags reach the gateway: any key, no fault header, latency, and a directory that keeps the books', async () => {
  const args = ['--upstream', '--no-fault-header', '--latency', 'fast', '--data', join(folder, 'data')];
  const call = (base_url: string, path: string, body?: object) =>
    fetch(base_url + path, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        authorization: 'Bearer any-key-at-all',
        'content-type': 'application/json',
        'x-weighbridge-fault': 'http.503',
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const messages = [{ role: 'user', content: 'x' }];
  const chat = { model: 'aspen-mini', max_tokens: 2, messages };
  const first = await served(args, async ({ base_url, api_key }) => {
    expect((await call(base_url, '/v1/chat/completions', chat)).status).toBe(200);
    return api_key;
  });
  await served(args, async ({ base_url, api_key }) => {
    expect(api_key).toBe(first);
    expect(await (await call(base_url, '/v1/usage')).json()).toMatchObject({ records: 1 });
  });
});

test('each line of docs/gateway.md that starts it alone serves', async () => {
  const here: Readonly<Record<string, string>> = {
    '8787': '0',
    'gateway-data': join(folder, 'shown-data'),
    'upstream.ndjson': join(folder, 'upstream.ndjson'),
  };
  const lines = shownOn('docs/gateway.md').commands.flatMap(({ command, block }) =>
    block && command.startsWith('weighbridge gateway ') ? [command.split(' ').slice(2)] : [],
  );
  expect(lines).toHaveLength(7);
  const headers = { authorization: 'Bearer any-key-at-all' };
  const statuses = lines.map((words) =>
    served(
      words.map((word) => here[word] ?? word),
      async ({ base_url }) => (await fetch(`${base_url}/v1/usage`, { headers })).status,
    ),
  );
  expect(await Promise.all(statuses)).toEqual([401, 404, 404, 404, 404, 401, 200]);
  expect([here['gateway-data'], here['upstream.ndjson']].map((path) => existsSync(path ?? ''))).toEqual([
    true,
    true,
  ]);
});

test('--plain has a key on its ready line only where one is needed', async () => {
  const keyOf = (...quirks: string[]): Promise<string | undefined> =>
    served(['--plain', ...quirks], async ({ api_key }) => api_key);
  expect(await keyOf()).toBeUndefined();
  expect(await keyOf('--quirks', 'no-done,needs-key')).toMatch(/^sk-/);
});
