import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { targetFolderName } from '../../src/contracts/target-folder-name.ts';
import { readScheduledRun } from '../../src/state/scheduled-run-file.ts';
import { ageRun } from '../support/age-run.ts';
import { GatewayProcess } from '../support/gateway-process.ts';
import { MANNERS, plainServer } from '../support/plain-server.ts';
import { ProbeProcess } from '../support/probe-process.ts';
import { type Finished, ROOT, runWeighbridge, scratchDir } from '../support/run-weighbridge.ts';

const PAGE = readFileSync(join(ROOT, 'docs/scheduled-runs.md'), 'utf8');
/** As the page shows them, in its order. */
const SHOWN = [...PAGE.matchAll(/^ {4,6}weighbridge (.+)$/gm)].map(([, line = '']) => line);

const HOUR_MS = 3_600_000;

/** A folder with a configuration, and a gateway that it names. */
async function place(traffic: string) {
  const dir = scratchDir();
  const gateway = new GatewayProcess(join(dir, 'gateway'));
  onTestFinished(() => gateway.end('SIGKILL'));
  const { base_url, api_key } = await gateway.start();
  writeFileSync(
    join(dir, 'weighbridge.yaml'),
    `version: 1\ntarget: { url: ${base_url}, budget: { usd_per_hour: "100", usd_per_day: "100" } }\n${traffic}`,
  );
  mkdirSync(join(dir, 'metrics'));
  writeFileSync(join(dir, 'api-key'), api_key, { mode: 0o600 });
  const env = { WEIGHBRIDGE_API_KEY_FILE: join(dir, 'api-key') };
  return {
    dir,
    base_url,
    api_key,
    home: join(dir, 'state', targetFolderName(base_url)),
    weighbridge: (line: string, onStart?: Parameters<typeof runWeighbridge>[1]) =>
      runWeighbridge(line.split(' '), { cwd: dir, env, ...onStart }),
  };
}

const FEW_CALLS = `duration: 4s
settle: { wait: 20s, poll: 500ms }
traffic:
  - { kind: chat, rate: 2/s }
`;

test('every command of the page runs: audit, what is due, history, what a collector and the daemon are told', async () => {
  const { dir, base_url, api_key, home, weighbridge } = await place(FEW_CALLS);
  const [audit = '', due = '', month = '', list = '', prune = ''] = SHOWN;
  const [, dryRun = '', metrics = '', ...more] = SHOWN.slice(5);
  expect(more).toEqual([]);
  const audited = await weighbridge(audit);
  expect(audited.stderr).toContain('run ');
  const run = /run (\S+): testing/.exec(audited.stderr)?.[1] ?? '';
  const noted = readScheduledRun(home);
  expect(noted).toMatchObject({ run_id: run, every_ms: 24 * HOUR_MS, exit_status: audited.status });
  expect(noted?.usd.charged).toMatch(/^0\.\d+$/);

  expect((await weighbridge(due)).stderr).toContain('no run is due');
  ageRun(join(dir, 'reports', run), 2 * HOUR_MS);
  const looked = await weighbridge(due);
  expect(looked.stderr).toContain('1 run due');
  expect(looked.status).toBe(readScheduledRun(home)?.exit_status);
  expect(readScheduledRun(home)?.ended_at).toBe(noted?.ended_at);
  // The look is taken: the next hour finds nothing, until the next day does.
  expect(await weighbridge(due)).toMatchObject({
    status: 0,
    stderr: expect.stringContaining('no run is due'),
  });

  // The gateway of this test has no past month: nothing is wrong, and nothing can be checked.
  const empty = await weighbridge(month);
  expect(empty).toMatchObject({ status: 7 });
  expect(empty.stderr + empty.stdout).toMatch(/month-\d{4}-\d\d-/);

  expect((await weighbridge(list)).stdout).toContain(`${run}  `);
  for (const line of [dryRun, prune])
    expect(await weighbridge(line)).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^0 runs, 0\.0 MB (?:would be )?freed; 1 run left\n$/),
    });
  expect((await weighbridge(metrics)).status).toBe(0);
  const told = readFileSync(join(dir, 'metrics/weighbridge.prom'), 'utf8');
  const value = (text: string) =>
    Number(/^weighbridge_scheduled_run_usd\{.*line="charged".*\} (\S+)$/m.exec(text)?.[1]);
  expect(value(told)).toBe(Number(noted?.usd.charged));

  const file = join(dir, 'probe.yaml');
  writeFileSync(
    file,
    `version: 1\nprobe:\n  targets: [{ name: nightly, url: ${base_url}, key: env:GATEWAY_KEY }]\n`,
  );
  const daemon = new ProbeProcess(
    ['--config', file, '--listen', '127.0.0.1:0', '--state', join(dir, 'state')],
    { GATEWAY_KEY: api_key },
  );
  const scraped = await (await fetch(`${await daemon.url()}/metrics`)).text();
  expect(value(scraped)).toBe(Number(noted?.usd.charged));
  expect(scraped).toContain(
    `weighbridge_scheduled_run_exit_status{target="nightly"} ${readScheduledRun(home)?.exit_status}`,
  );
});

test('the nightly run of the page needs no bill and no key, and says when the next is to follow', async () => {
  const server = await plainServer(MANNERS.vLLM);
  const dir = scratchDir();
  writeFileSync(
    join(dir, 'weighbridge.yaml'),
    `version: 1\ntarget: { url: ${server.url} }\nduration: 4s\ntraffic:\n  - { kind: chat, rate: 2/s }\n`,
  );
  const line = SHOWN.find((shown) => shown.startsWith('run ')) ?? '';
  const done = await runWeighbridge(line.split(' '), { cwd: dir });
  // Too few calls to be held against a run before, and none before.
  expect([0, 7], done.stderr).toContain(done.status);
  const home = join(dir, 'state', targetFolderName(server.url));
  expect(readScheduledRun(home)).toMatchObject({ every_ms: 24 * HOUR_MS, exit_status: done.status });
});

test('a scheduled run that was killed is missing, and --due settles what it held', async () => {
  const { dir, home, weighbridge } = await place('duration: 60s\ntraffic:\n  - { kind: chat, rate: 2/s }\n');
  const killed: Finished = await weighbridge(
    'run --every 24h --max-spend-usd 30 --out reports --state state',
    {
      onStart: (child) => {
        child.stderr?.on('data', (text: string) => {
          if (/started \d+ of/.test(text)) child.kill('SIGKILL');
        });
      },
    },
  );
  expect(killed.status).toBeNull();
  const run = /run (\S+): testing/.exec(killed.stderr)?.[1] ?? '';
  expect(existsSync(join(home, 'scheduled-run.json'))).toBe(false);
  const settled = () => readFileSync(join(home, 'budget.ndjson'), 'utf8').match(/"settled"/g) ?? [];
  expect(settled()).toHaveLength(0);
  ageRun(join(dir, 'reports', run), 2 * HOUR_MS);
  const prune = 'history prune --keep 0 --out reports --state state';
  expect((await weighbridge(prune)).stdout).toContain('its budget is not settled');
  const due = () => weighbridge('reconcile --due --out reports --state state');
  // Its load engine may take a moment to end: until then all stays reserved, and the run is due.
  const untilSettled = async () => {
    expect(await due()).toMatchObject({ status: 0, stderr: expect.stringContaining('1 run due') });
    return settled().length;
  };
  await expect.poll(untilSettled, { interval: 1_000 }).toBe(1);
  expect(await due()).toMatchObject({ status: 0, stderr: expect.stringContaining('no run is due') });
  expect(settled()).toHaveLength(1);
  expect((await weighbridge(prune)).stdout).toContain(`${run} is removed`);
});
