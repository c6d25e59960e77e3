import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, onTestFinished, test } from 'vitest';
import { shownOn } from '../../../test/support/docs/shown-commands.ts';
import { renderError } from '../../app/notices/render-error.ts';
import { UNWATCHED } from '../../app/notices/unwatched.test-support.ts';
import type { ProbeDaemonDeps } from '../../app/probe/probe-daemon.ts';
import { watchedProbes } from '../../app/probe/watched-lines.ts';
import type { ProbePlan } from '../../contracts/probe-plan.ts';
import { startGateway } from '../../gateway/start-gateway.ts';
import { probeCommand } from './probe.ts';

interface Probed {
  readonly code: number;
  readonly said: string;
  /** Of the daemon, where it was started. */
  readonly plan: ProbePlan | null;
  readonly deps: ProbeDaemonDeps | null;
}

async function probed(env: Readonly<Record<string, string>>, ...flags: readonly string[]): Promise<Probed> {
  const said: string[] = [];
  const line = (text: string) => void said.push(text);
  let [code, plan, deps]: [number, ProbePlan | null, ProbeDaemonDeps | null] = [0, null, null];
  const program = new Command('weighbridge');
  const terminal = {
    out: line,
    err: line,
    ...UNWATCHED,
    width: 100,
    env,
  };
  probeCommand(async (given, with_) => {
    [plan, deps] = [given, with_];
    return 130;
  })(program, terminal, (status) => {
    code = status;
  });
  try {
    await program.parseAsync(['probe', ...flags], { from: 'user' });
  } catch (error) {
    const rendered = renderError(error);
    said.push(...rendered.lines);
    code = rendered.exitCode;
  }
  return { code, said: said.join('\n'), plan, deps };
}

function configured(text: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-probe-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'weighbridge.yaml');
  writeFileSync(file, `version: 1\n${text}`);
  return file;
}

test('--dry-run prices the plan by the book of the target, without a paid call and without a budget', async () => {
  const { ready, close } = await startGateway({ port: 0, seed: 1 });
  onTestFinished(close);
  const file = configured(`probe:
  text: { models: [elm/elm-8b-instruct, nobody-sells-this], formats: [chat], stream: true }
  targets: [{ name: main, url: ${ready.base_url}, key: env:PLANTED }]
`);
  const env = { PLANTED: ready.api_key };
  const { code, said, plan } = await probed(env, '--config', file, '--dry-run');
  expect({ code, plan }).toEqual({ code: 7, plan: null });
  expect(said).toContain('does not run: chat-stream-nobody-sells-this');
  expect(said).toContain('nobody-sells-this is not in the model list of the key');
  expect(said).toContain('no budget yet');
  expect(said).not.toContain(ready.api_key);
  const json = JSON.parse((await probed(env, '--config', file, '--dry-run', '--json')).said);
  expect(json).toMatchObject({
    targets: [{ target: 'main', budget: null, worst_case: { month: expect.stringMatching(/^0\.\d+$/) } }],
  });
  const usage = await fetch(`${ready.base_url}/v1/usage/requests?limit=10`, {
    headers: { authorization: `Bearer ${ready.api_key}` },
  });
  expect(await usage.json()).toMatchObject({ data: [] });
  // The daemon does not start without one.
  const started = await probed(env, '--config', file);
  expect(started).toMatchObject({ code: 2, plan: null, said: expect.stringContaining('need a budget') });
  expect(started.said).toContain('--dry-run');
});

test('--check reads the configuration alone, and names credentials that are not there', async () => {
  const file = configured(`probe:
  targets: [{ name: main, url: "https://gateway.invalid", key: env:ABSENT }]
`);
  const checked = await probed({}, '--config', file, '--check');
  expect(checked).toMatchObject({ code: 0, plan: null });
  expect(checked.said).toBe(
    'the configuration holds\ntarget main (https://gateway.invalid): 4 probes, 0 of them paid\nnote: not there now: key of main: the environment variable ABSENT is not set or empty',
  );
  const json = await probed({ ABSENT: 'sk-0123456789' }, '--config', file, '--check', '--json');
  expect(JSON.parse(json.said)).toEqual({
    targets: [{ name: 'main', probes: ['models', 'pricebook', 'usage', 'usage_requests'] }],
    missing: [],
  });
  const bad = await probed({}, '--config', configured('probe: { target: [] }'), '--check');
  expect(bad).toMatchObject({ code: 2, said: expect.stringContaining('did you mean "targets"?') });
});

test('credentials that are missing or of the other kind stop the command before it asks anything', async () => {
  const file = configured(`probe:
  targets: [{ name: main, url: "https://gateway.invalid", access_token: env:TOKEN, user_id: env:UID }]
`);
  const { code, said, plan } = await probed({ TOKEN: 'sk-planted-0123456789' }, '--config', file);
  expect({ code, plan }).toEqual({ code: 2, plan: null });
  expect(said).toContain('access_token of main: starts with sk- as API keys do');
  expect(said).toContain('user_id of main: the environment variable UID is not set or empty');
  expect(said).not.toContain('planted');
});

test('without a target the embedded gateway is started and watched', async () => {
  const { code, plan, deps, said } = await probed(
    {},
    '--config',
    configured('seed: 3'),
    '--listen',
    '[::1]:0',
  );
  expect({ code, said }).toEqual({ code: 130, said: '' });
  expect(plan?.listen).toMatchObject({ host: '::1', port: 0 });
  const [target] = plan?.targets ?? [];
  expect(target?.probes.map(({ api }) => api)).toEqual(
    expect.arrayContaining(['chat', 'responses', 'messages', 'image_job', 'video', 'account', 'negative']),
  );
  const watched = plan === null ? [] : watchedProbes(plan);
  expect(watched[0]).toMatch(/^target embedded \(http:\/\/127\.0\.0\.1:\d+\): 21 probes, 11 of them paid$/);
  expect(watched[1]).toMatch(/^ {2}free: models, pricebook, usage, .*negative-no_key/);
  expect(watched[2]).toMatch(/^ {2}paid: chat-\S+, chat-stream-\S+, .*video-\S+$/);
  expect(watched).toHaveLength(3);
  const name = target?.key?.replace('env:', '') ?? '';
  expect(deps?.env[name]).toMatch(/^sk-/);
  expect(deps?.reload()).toEqual(plan);
  expect(JSON.stringify(plan, (_, value) => (typeof value === 'bigint' ? 0 : value))).not.toContain('sk-');
});

const PAGE = readFileSync(join(import.meta.dirname, '../../../docs/monitoring.md'), 'utf8');
const SHOWN = [...PAGE.matchAll(/```yaml\nversion: 1\n(.*?)```/gs)].map((match) => match[1] ?? '');

test('every configuration that the page shows holds', async () => {
  expect(SHOWN.length).toBeGreaterThanOrEqual(3);
  for (const text of SHOWN) {
    const { code, said } = await probed({}, '--config', configured(text), '--check');
    expect({ code, said }).toEqual({ code: 0, said: expect.stringContaining('the configuration holds') });
  }
});

test('--dry-run prints what the page shows', async () => {
  const [, text = ''] = /\$ weighbridge probe --dry-run\n(.*?)\n```/s.exec(PAGE) ?? [];
  const lines = text.split('\n').filter((line) => line.startsWith('  '));
  expect(lines.length).toBeGreaterThan(8);
  const { code, said } = await probed({}, '--config', configured(SHOWN.at(-1) ?? ''), '--dry-run');
  expect(code).toBe(0);
  const printed = said.split('\n');
  expect(lines.filter((line) => !printed.includes(line))).toEqual([]);
});

test('the daemon of the page listens, and keeps its state, where it says', async () => {
  const [shown = ''] = shownOn('docs/monitoring.md').commands.flatMap(({ command }) =>
    command.startsWith('weighbridge probe --config') ? [command] : [],
  );
  const file = configured('probe: { targets: [{ name: main, url: "http://127.0.0.1:9" }] }');
  const flags = shown.split(' ').slice(2);
  const { plan, code, said } = await probed(
    {},
    ...flags.map((word) => (word === 'weighbridge.yaml' ? file : word)),
  );
  expect({ code, said }).toEqual({ code: 130, said: '' });
  expect(plan?.listen).toMatchObject({ host: '::', port: 9464 });
  expect(plan?.state_dir).toBe('/var/lib/weighbridge');
});

test('a configuration is read again whole, and one that cannot be used is refused', async () => {
  const named = (more: string) =>
    `version: 1\nprobe: { targets: [{ name: main, url: "http://127.0.0.1:9"${more} }] }\n`;
  const file = configured('');
  writeFileSync(file, named(''));
  const { deps, plan } = await probed({}, '--config', file);
  expect(deps?.reload()).toEqual(plan);
  writeFileSync(file, named(', free: { models: 5s }'));
  expect(deps?.reload().targets[0]?.probes[0]?.interval_ms).toBe(5_000);
  writeFileSync(file, named(', key: env:ABSENT'));
  expect(() => deps?.reload()).toThrow('key of main: the environment variable ABSENT is not set');
  writeFileSync(file, 'version: 1\nprobe: { free: { models: 1s } }\n');
  expect(() => deps?.reload()).toThrow(/:2:26 probe\.free\.models: must be a duration of 5s or longer/);
  writeFileSync(file, 'version: 1\n');
  expect(() => deps?.reload()).toThrow('names no gateway any more');
});
