import { spawnSync } from 'node:child_process';
import {
  cpSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { locateK6 } from '../../src/drive/locate-k6.ts';
import { startGateway } from '../../src/gateway/start-gateway.ts';
import { loadLedger } from '../../src/ledger/load-ledger.ts';
import {
  archiveCommand,
  runnerCommand,
  runnerName,
  type TestRunObject,
  testRunSchema,
} from '../support/kubernetes/operator.ts';
import {
  ended,
  expanded,
  freePort,
  type Places,
  placed,
  podEnv,
  startContainer,
} from '../support/kubernetes/pod-process.ts';
import { type PodContainer, podOf, writtenObjects } from '../support/kubernetes/written-folder.ts';
import { MANNERS, plainServer } from '../support/plain-server.ts';
import { cleanEnv, ROOT, runWeighbridge } from '../support/run-weighbridge.ts';

const scratch = mkdtempSync(join(tmpdir(), 'weighbridge-kubernetes-'));
const SCRIPTS = join(scratch, 'scenarios');
const BIN = join(scratch, 'bin');

beforeAll(() => {
  mkdirSync(BIN);
  symlinkSync(locateK6(process.env, ROOT), join(BIN, 'k6'));
  const bundled = spawnSync(process.execPath, [join(ROOT, 'scripts/bundle-scenarios.ts'), SCRIPTS]);
  expect(bundled.status).toBe(0);
});
afterAll(() => rmSync(scratch, { recursive: true, force: true }));

/** The line of docs/kubernetes.md, at a gateway of this machine. */
function shownFlags(target: string, out: string): readonly string[] {
  const page = readFileSync(join(ROOT, 'docs/kubernetes.md'), 'utf8');
  const [, line = ''] =
    /^ +WEIGHBRIDGE_API_KEY_FILE=key\.txt weighbridge (k8s --instances .+)$/m.exec(page) ?? [];
  return line
    .replace('https://gateway.example', target)
    .replace(/--out \S+/, `--out ${out}`)
    .split(' ');
}

async function gatewayOfItsOwn() {
  const gateway = await startGateway({ port: 0, seed: 1, latency: 'fast' });
  onTestFinished(() => gateway.close());
  return gateway.ready;
}

/** A cluster of folders: manifests written, what they mount in its place, a target that pods reach. */
async function cluster(
  { base_url, api_key }: { readonly base_url: string; readonly api_key: string },
  ...flags: readonly string[]
) {
  const dir = mkdtempSync(join(scratch, 'run-'));
  const key = join(dir, 'secret/api-key');
  for (const name of ['secret', 'plan', 'data']) mkdirSync(join(dir, name));
  writeFileSync(key, api_key);
  const out = join(dir, 'k8s');
  const made = await runWeighbridge([...shownFlags(base_url, out), ...flags, '--state', join(dir, 'state')], {
    env: { WEIGHBRIDGE_API_KEY_FILE: key },
  });
  expect(made.status, made.stderr).toBe(0);
  const objects = writtenObjects(out);
  for (const [name, text] of Object.entries(objects.get('plan.yaml')?.data ?? {}))
    writeFileSync(join(dir, 'plan', name), text);
  // As kubectl cp brings it to the volume.
  for (const stored of globSync('2*', { cwd: out }))
    cpSync(join(out, stored), join(dir, 'data/reports', stored), { recursive: true });
  const places: Places = [
    ['/etc/weighbridge/run', join(dir, 'plan')],
    ['/run/secrets/weighbridge', join(dir, 'secret')],
    ['/var/lib/weighbridge', join(dir, 'data')],
    ['/opt/weighbridge/dist/scenarios', SCRIPTS],
    ['/tmp/mixed', join(dir, 'mixed')],
  ];
  const run = testRunSchema.parse(objects.get('test-run.yaml'));
  const audit = objects.get('audit.yaml');
  const pod = audit === undefined ? null : podOf(audit);
  if (pod === null) throw new Error('expected the pod of an audit');
  const id = run.metadata.labels['app.kubernetes.io/instance'] ?? '';
  return { dir, run, pod, places, ledger: join(dir, 'data/reports', id) };
}

const PATH = { PATH: `${BIN}:${process.env['PATH']}` };

/** Runner `index` as the operator starts it, which listens on a port of its own here. */
function startRunner(run: TestRunObject, places: Places, index: number, port: number) {
  const env = podEnv(run.spec.runner.env, runnerName(run, index), places);
  const words = expanded(runnerCommand(run, index), env).map((word) =>
    placed(word, places).replace('0.0.0.0:6565', `127.0.0.1:${port}`),
  );
  const child = startContainer(words, { ...cleanEnv(), ...PATH, ...env });
  onTestFinished(() => void child.kill('SIGKILL'));
  return { child, end: ended(child) };
}

/** The runners, paused at first. */
async function startRunners(run: TestRunObject, places: Places) {
  const indices = Array.from({ length: run.spec.parallelism }, (_, at) => at + 1);
  return Promise.all(
    indices.map(async (index) => {
      const port = await freePort();
      const runner = startRunner(run, places, index, port);
      const url = `http://127.0.0.1:${port}/v1/status`;
      await expect
        .poll(() =>
          fetch(url).then(
            ({ ok }) => ok,
            () => false,
          ),
        )
        .toBe(true);
      return { ...runner, url };
    }),
  );
}

async function resume(url: string): Promise<void> {
  const body = JSON.stringify({ data: { type: 'status', id: 'default', attributes: { paused: false } } });
  expect((await fetch(url, { method: 'PATCH', body })).status).toBe(200);
}

/** A container of the audit's pod to its end. */
async function runContainer({ args, command, env }: PodContainer, places: Places) {
  const variables = podEnv(env, 'audit', places);
  if (command === undefined)
    return runWeighbridge(
      (args ?? []).map((word) => placed(word, places)),
      { env: variables },
    );
  const words = command.map((word) => placed(word, places));
  const { status, said } = await ended(startContainer(words, { ...cleanEnv(), ...variables }));
  return { status, stdout: said, stderr: '' };
}

test('docs/kubernetes.md: three engines drive the plan, the audit waits for all of them and is exact', async () => {
  const ready = await gatewayOfItsOwn();
  const { dir, run, pod, places, ledger } = await cluster(ready, '--duration', '6s');
  const runners = await startRunners(run, places);
  // The shell that looked for the script is gone: a signal to process 1 reaches k6.
  for (const { child } of runners)
    expect(readlinkSync(`/proc/${child.pid}/exe`)).toBe(locateK6(process.env, ROOT));
  const [copy, engines, ...more] = pod.initContainers;
  if (copy === undefined || engines === undefined)
    throw new Error('expected two containers before the audit');
  expect(more).toEqual([]);
  expect(await runContainer(copy, places)).toMatchObject({ status: 0 });
  const waiting = runContainer(engines, places);
  for (const { url } of runners) await resume(url);
  for (const { end } of runners) expect(await end).toMatchObject({ status: 0 });
  const names = [1, 2, 3].map((index) => runnerName(run, index));
  expect(await waiting).toMatchObject({
    status: 0,
    stdout: `closed: ${names[0]}, ${names[1]} and ${names[2]}\n`,
  });
  const [audit] = pod.containers;
  if (audit === undefined) throw new Error('expected the container of the audit');
  const judged = await runContainer(audit, places);
  expect(judged.status, `${judged.stdout}${judged.stderr}`).toBe(0);
  expect(judged.stdout).toMatch(/difference \$0/);
  const { headers, rows, problems } = await loadLedger(ledger);
  expect(problems).toEqual([]);
  expect(headers.map(({ instance }) => instance).sort()).toEqual(names);
  expect(rows.length).toBeGreaterThan(0);
  expect(readFileSync(join(ledger, 'report.md'), 'utf8')).not.toContain(ready.api_key);
  // A folder that is applied again finds its ledgers: no call is made twice.
  const again = await startRunner(run, places, 1, await freePort()).end;
  expect(again.status, again.said).not.toBe(0);
  expect((await loadLedger(ledger)).rows).toHaveLength(rows.length);
  // What the plan took of the budget on this machine is given back when the fetched folder is judged here.
  const state = join(dir, 'state');
  const settled = await runWeighbridge(['reconcile', '--ledger', ledger, '--state', state], {
    env: { WEIGHBRIDGE_API_KEY: ready.api_key },
  });
  expect(settled.status, settled.stderr).toBe(0);
  const budget = globSync('*/budget.ndjson', { cwd: state }).map((file) =>
    readFileSync(join(state, file), 'utf8'),
  );
  expect(budget).toHaveLength(1);
  expect(budget[0]).toContain('"kind":"settled"');
});

test('deleting a TestRun ends the load: SIGTERM to process 1, every ledger has its end, and the audit judges', async () => {
  const { run, pod, places, ledger } = await cluster(await gatewayOfItsOwn(), '--duration', '10m');
  const runners = await startRunners(run, places);
  for (const { url } of runners) await resume(url);
  const called = async () => (await loadLedger(ledger).catch(() => ({ rows: [] }))).rows.length;
  await expect.poll(called).toBeGreaterThan(0);
  for (const { child } of runners) child.kill('SIGTERM');
  for (const { end } of runners) await end;
  const [copy, engines] = pod.initContainers;
  const [audit] = pod.containers;
  if (copy === undefined || engines === undefined || audit === undefined) throw new Error('expected three');
  await runContainer(copy, places);
  expect(await runContainer(engines, places)).toMatchObject({
    status: 0,
    stdout: expect.not.stringContaining('without'),
  });
  const judged = await runContainer(audit, places);
  expect(judged).toMatchObject({ status: 130, stdout: expect.stringMatching(/difference \$0/) });
});

test('on a target without a bill the last container reports the times', async () => {
  const { url } = await plainServer(MANNERS.vLLM);
  const target = { base_url: url, api_key: 'sk-no-bill-0123456789' };
  const { run, pod, places, ledger } = await cluster(
    target,
    '--duration',
    '4s',
    '--assume-usd-per-call',
    '0.01',
  );
  const runners = await startRunners(run, places);
  for (const runner of runners) await resume(runner.url);
  for (const { end } of runners) expect(await end).toMatchObject({ status: 0 });
  for (const each of [...pod.initContainers, ...pod.containers]) {
    const done = await runContainer(each, places);
    expect(done.status, `${done.stdout}${done.stderr}`).toBe(0);
  }
  const report = readFileSync(join(ledger, 'report.md'), 'utf8');
  expect(report).toContain('goodput');
  expect(report).not.toMatch(/charged|bill/i);
});

test('a plan that no ConfigMap takes is driven and audited from the volume, its prompts beside it', async () => {
  const prompts = join(scratch, 'prompts.txt');
  const lines = Array.from({ length: 9_000 }, (_, n) => `Of ${n}: ${'how tall is a beech? '.repeat(5)}`);
  writeFileSync(prompts, lines.join('\n'));
  const ready = await gatewayOfItsOwn();
  const config = join(scratch, 'prompts.yaml');
  writeFileSync(config, `version: 1\ntraffic: [{ kind: chat, rate: 2/s, prompts: { file: ${prompts} } }]\n`);
  const { run, pod, places, ledger } = await cluster(ready, '--duration', '4s', '--config', config);
  expect(readdirSync(ledger)).toContainEqual(expect.stringMatching(/^prompts-\w+\.txt$/));
  // Another machine does not have the file that was planned with.
  rmSync(prompts);
  const runners = await startRunners(run, places);
  for (const runner of runners) await resume(runner.url);
  for (const { end } of runners) expect(await end).toMatchObject({ status: 0 });
  for (const each of [...pod.initContainers, ...pod.containers]) {
    const done = await runContainer(each, places);
    expect(done.status, `${done.stdout}${done.stderr}`).toBe(0);
  }
  expect(readFileSync(join(ledger, 'report.md'), 'utf8')).toMatch(/8 of 8 charges match/);
});

test('the initializer reads the plan without a key, and leaves none in its archive', async () => {
  const ready = await gatewayOfItsOwn();
  const { dir, run, places } = await cluster(ready, '--duration', '6s');
  const env = podEnv(run.spec.initializer.env, 'initializer', places);
  const words = expanded(archiveCommand(run), env).map((word) => placed(word, places));
  const archived = await ended(startContainer(words, { ...cleanEnv(), ...PATH, ...env }));
  expect(archived.status, archived.said).toBe(0);
  const archive = join(dir, 'mixed.js.archived.tar');
  expect(readFileSync(archive, 'latin1')).not.toContain(ready.api_key);
  const inspected = spawnSync(join(BIN, 'k6'), ['inspect', '--execution-requirements', archive], {
    encoding: 'utf8',
    env: { ...cleanEnv(), ...env },
  });
  expect(inspected.stderr).not.toMatch(/level.*error/);
  expect(JSON.parse(inspected.stdout)).toHaveProperty('maxVUs');
});
