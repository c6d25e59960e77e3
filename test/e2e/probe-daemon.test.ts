import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { PROBE_APIS } from '../../src/contracts/probe-plan.ts';
import { targetFolderName } from '../../src/contracts/target-folder-name.ts';
import { shownOn } from '../support/docs/shown-commands.ts';
import { GatewayProcess, type ReadyLine } from '../support/gateway-process.ts';
import { ProbeProcess } from '../support/probe-process.ts';
import { runWeighbridge, scratchDir } from '../support/run-weighbridge.ts';

const VIDEO = 'quartz-lite:i2v';
/** The two that the page shows in blocks of their own: the daemon, and the audit of what it called. */
const [DAEMON = '', AUDIT = '', ...MORE] = shownOn('docs/monitoring.md')
  .commands.filter(({ command, block }) => block && !command.endsWith('--dry-run'))
  .map(({ command }) => command);
const STATE = '/var/lib/weighbridge';

async function gatewayIn(dir: string): Promise<ReadyLine> {
  const gateway = new GatewayProcess(join(dir, 'gateway'));
  onTestFinished(() => gateway.end('SIGKILL'));
  return gateway.start();
}

function envOf({ api_key, access_token, user_id }: ReadyLine): Readonly<Record<string, string>> {
  return { GATEWAY_KEY: api_key, GATEWAY_TOKEN: access_token, GATEWAY_USER: String(user_id) };
}

/** Writes the configuration; gives the arguments of the command. */
function configure(dir: string, { base_url }: ReadyLine, probes: string): readonly string[] {
  const file = join(dir, 'weighbridge.yaml');
  writeFileSync(
    file,
    `version: 1
probe:
  drain: 5s
  targets:
    - name: main
      url: ${base_url}
      key: env:GATEWAY_KEY
      access_token: env:GATEWAY_TOKEN
      user_id: env:GATEWAY_USER
      budget: { usd_per_hour: "50", usd_per_day: "500" }
      concurrency: 32
${probes}`,
  );
  const here: Readonly<Record<string, string>> = {
    'weighbridge.yaml': file,
    ':9464': '127.0.0.1:0',
    [STATE]: join(dir, 'state'),
  };
  return words(DAEMON)
    .slice(1)
    .map((word) => here[word] ?? word);
}

/** Behind the name of the program. */
function words(command: string): readonly string[] {
  return command.split(' ').slice(1);
}

const EVERYTHING = `      text: { models: [elm/elm-8b-instruct], every: 10s, max_tokens: 8 }
      images: { models: [lumen-image-mini], kinds: [image, image_edit, image_job, image_edit_job], every: 10s }
      videos: { models: ["${VIDEO}"], every: 10s }
      free: { models: 5s, pricebook: 5s, usage: 5s, usage_requests: 5s, account: 5s }
      negative: { rules: [no_key, wrong_key_kind, unknown_model, missing_user_header, result_before_completion], every: 10s }
`;

async function control({ control_url, control_token }: ReadyLine, path: string, body: string): Promise<void> {
  const answer = await fetch(`${control_url}${path}`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${control_token}` },
    body,
  });
  expect(answer.status, await answer.text()).toBeLessThan(300);
}

async function scrape(url: string): Promise<string> {
  return (await fetch(`${url}/metrics`)).text();
}

/** What promtool has to say against it. */
function promtoolOn(metrics: string): Promise<string> {
  return new Promise((resolve) => {
    const child = execFile('promtool', ['check', 'metrics'], (_, stdout, stderr) => resolve(stdout + stderr));
    child.stdin?.end(metrics);
  });
}

test('the daemon sees every api succeed, a fault, and a bad configuration, and ends in order', async () => {
  const dir = scratchDir();
  const gateway = await gatewayIn(dir);
  const args = configure(dir, gateway, EVERYTHING);
  const daemon = new ProbeProcess(args, envOf(gateway));
  const url = await daemon.url();
  expect((await fetch(`${url}/-/ready`)).status).toBe(200);

  await Promise.all(
    PROBE_APIS.map((api) => daemon.until((line) => line.api === api && line.error_type === 'none')),
  );
  const metrics = await scrape(url);
  expect(await promtoolOn(metrics)).toBe('');
  for (const api of PROBE_APIS)
    expect(metrics).toMatch(new RegExp(`^weighbridge_probe_success\\{[^}]*api="${api}"[^}]*\\} 1$`, 'm'));
  expect(metrics).toMatch(/^weighbridge_probe_budget_spent_usd\{target="main",period="hour"\} 0\.\d+$/m);
  expect(metrics).toMatch(
    /^weighbridge_probe_spend_usd_total\{[^}]*api="chat"[^}]*source="priced"\} \d\S*[1-9]\S*$/m,
  );
  expect(daemon.output).not.toContain(gateway.api_key);
  expect(metrics + (await (await fetch(`${url}/config`)).text())).not.toContain(gateway.access_token);

  const from = daemon.lines.length;
  await control(gateway, '/faults', 'faults:\n  - { fault: http.402_quota, when: { probability: 1 } }\n');
  const refused = await daemon.until((line) => line.error_type === 'insufficient_user_quota', from);
  const labels = `probe="${refused.probe}"`;
  // A rendering is served again for a second.
  const counted = async () =>
    (await scrape(url))
      .split('\n')
      .filter((line) => line.startsWith('weighbridge_probe_runs_total{') && line.includes(labels))
      .join('\n');
  await expect.poll(counted).toMatch(/error_type="insufficient_user_quota",blame="account"\} [1-9]/);

  const file = join(dir, 'weighbridge.yaml');
  const good = readFileSync(file, 'utf8');
  writeFileSync(file, good.replace('every: 10s', 'evry: 10s'));
  const bad = await fetch(`${url}/-/reload`, { method: 'POST' });
  expect(bad.status).toBe(500);
  expect(await bad.text()).toContain('evry');
  const before = daemon.lines.length;
  daemon.signal('SIGHUP');
  await daemon.until(({ msg }) => msg.startsWith('not reloaded'), before);
  await expect.poll(() => scrape(url)).toMatch(/^weighbridge_config_last_reload_successful 0$/m);
  writeFileSync(file, configureText(good));
  const reloaded = await fetch(`${url}/-/reload`, { method: 'POST' });
  expect([reloaded.status, await reloaded.text()]).toEqual([200, 'reloaded\n']);
  const status = await (await fetch(`${url}/api/status`)).text();
  expect(status).not.toContain('negative-no_key');
  expect(await daemon.end('SIGTERM')).toBe(0);

  expect(MORE).toEqual([]);
  const key = join(dir, 'key.txt');
  writeFileSync(key, gateway.api_key, { mode: 0o600 });
  const audit = words(AUDIT).map((word) =>
    word === 'https://gateway.example'
      ? gateway.base_url
      : word
          .replace('key.txt', key)
          .replace(`${STATE}/gateway.example`, join(dir, 'state', targetFolderName(gateway.base_url))),
  );
  const audited = await runWeighbridge([...audit, '--out', join(dir, 'reports'), '--state', scratchDir()]);
  expect(audited.stdout).toMatch(/^findings +none$/m);
  expect(audited.stdout).toMatch(/difference \$0/);
  expect(audited.status, audited.stderr).toBe(0);
});

/** The same without negative probes: theirs go, the others stay. */
function configureText(good: string): string {
  return good.replace(/negative: .*/, 'negative: { rules: [] }');
}

const taskLines = z.looseObject({ kind: z.string().optional(), id: z.string().optional() });

test('a video task outlives SIGTERM and kill -9 of the daemon, is created once, and its money stays spent', async () => {
  const dir = scratchDir();
  const begun = performance.now();
  const gateway = await gatewayIn(dir);
  // Two daemons are started meanwhile, which on a busy machine take as long as the gateway did.
  const run_ms = Math.max(15_000, Math.ceil(10 * (performance.now() - begun)));
  await control(
    gateway,
    '/latency',
    `preset: fast\nvideo_queue: { fixed: { ms: 500 } }\nvideo_run: { fixed: { ms: ${run_ms} } }\n`,
  );
  const free =
    '      free: { models: off, usage: off, usage_requests: off, account: off }\n      negative: { rules: [] }\n';
  const args = configure(dir, gateway, `      videos: { models: ["${VIDEO}"], every: 10s }\n${free}`);
  const env = envOf(gateway);
  const first = new ProbeProcess(args, env);
  await first.until(({ msg }) => msg === 'task accepted');
  expect(await first.end('SIGTERM')).toBe(0);

  // Nothing new falls due from here on.
  configure(dir, gateway, `      videos: { models: ["${VIDEO}"], every: 24h }\n${free}`);
  const second = new ProbeProcess(args, env);
  const resumed = await second.until(({ msg }) => msg === 'task resumed');
  await second.end('SIGKILL');

  const third = new ProbeProcess(args, env);
  const again = await third.until(({ msg }) => msg === 'task resumed');
  expect(again.task).toBe(resumed.task);
  const url = await third.url();
  const reserved = await spentNow(url);
  expect(reserved).toBeGreaterThan(0);
  const run = await third.until(({ api }) => api === 'video');
  expect(run.error_type).toBe('none');
  const metrics = await scrape(url);
  expect(metrics).toMatch(/^weighbridge_probe_tasks_resumed_total\{[^}]*\} 1$/m);
  expect(metrics).toMatch(/^weighbridge_probe_tasks_total\{[^}]*final="completed"\} 1$/m);
  const after = await spentNow(url);
  expect(after).toBeGreaterThan(0);
  expect(after).toBeLessThanOrEqual(reserved);
  expect(await third.end('SIGTERM')).toBe(0);

  const end = Math.floor(Date.now() / 1000) + 60;
  const answer = await fetch(
    `${gateway.base_url}/v1/usage/requests?start_time=${end - 3600}&end_time=${end}`,
    { headers: { authorization: `Bearer ${gateway.api_key}` } },
  );
  const records = z.looseObject({ data: z.array(z.unknown()) }).parse(await answer.json());
  expect(records.data).toHaveLength(1);
  const intents = readFileSync(
    join(dir, 'state', targetFolderName(gateway.base_url), 'probe/tasks.ndjson'),
    'utf8',
  )
    .trimEnd()
    .split('\n')
    .map((line) => taskLines.parse(JSON.parse(line)))
    .filter(({ kind }) => kind === 'intent');
  expect(intents.length).toBeLessThanOrEqual(1);
});

/** What counts against the cap of the hour, USD. */
async function spentNow(url: string): Promise<number> {
  const line = /^weighbridge_probe_budget_spent_usd\{target="main",period="day"\} (\S+)$/m.exec(
    await scrape(url),
  );
  return Number(line?.[1] ?? 0);
}
