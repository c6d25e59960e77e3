import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { startGateway } from '../src/gateway/start-gateway.ts';
import { ageRun } from './support/age-run.ts';
import { buildImage, type Image } from './support/image/build-image.ts';
import { CAN_CONTAIN, type Mount, runContainer, startContainer } from './support/image/container.ts';
import { execForm, readDockerfile } from './support/image/dockerfile.ts';
import { writtenObjects } from './support/kubernetes/written-folder.ts';
import { ROOT, readNdjson, runWeighbridge, scratchDir, verdictOf } from './support/run-weighbridge.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

let built: Promise<Image> | null = null;
/** Made by the first test that wants it, so that a Dockerfile that can't be carried out fails a test. */
function image(): Promise<Image> {
  built ??= buildImage();
  return built;
}
afterAll(async () => (await built?.catch(() => null))?.remove());

test('base images are pinned by version, a signal reaches the command and no shell, and no secret is set', () => {
  const dockerfile = read('deploy/Dockerfile');
  expect(dockerfile).toMatch(/^# NOT BUILT HERE/);
  const { node } = z
    .object({ devDependencies: z.object({ node: z.string() }) })
    .parse(JSON.parse(read('package.json'))).devDependencies;
  const stages = readDockerfile(dockerfile);
  const bases = stages.map(({ base }) => base);
  expect(bases.filter((base) => !/^\w+:\d+\.\d+\.\d+(?:-[\w-]+)?$/.test(base))).toEqual([]);
  expect(bases.at(-1)).toBe(`node:${node}-bookworm-slim`);
  const commands =
    stages.at(-1)?.instructions.filter(({ keyword }) => /^(?:ENTRYPOINT|CMD)$/.test(keyword)) ?? [];
  expect(commands.map(({ text }) => execForm(text)[0])).toEqual(['node', 'probe']);
  expect(dockerfile).not.toMatch(/^(ENV|ARG) .*(KEY|TOKEN|PASSWORD)/m);
});

/** A named volume as an engine makes it: empty, and owned as the folder of the image is. */
function namedVolume({ root }: Image, at: string): string {
  const folder = scratchDir();
  const { uid, gid, mode } = statSync(join(root, at));
  chownSync(folder, uid, gid);
  chmodSync(folder, mode);
  return folder;
}

test.skipIf(!CAN_CONTAIN)(
  'docs/install.md: an audit, its forms, a run and what is due, from the image alone',
  async () => {
    const made = await image();
    const [, flags = ''] = /^ +docker run (.+) weighbridge audit$/m.exec(read('docs/install.md')) ?? [];
    expect(flags).toContain('--read-only');
    const [, at = ''] = /-v \w+:(\S+)/.exec(flags) ?? [];
    const temporary = [...flags.matchAll(/--tmpfs (\S+)/g)].map(([, path = '']) => ({
      at: path,
      from: null,
    }));
    const data = namedVolume(made, at);
    const weighbridge = (line: string, user = made.user, from = data) =>
      runContainer(made, {
        args: line.split(' '),
        env: { WEIGHBRIDGE_DURATION: '3s' },
        user,
        mounts: [{ at, from }, ...temporary],
      });

    const audit = await weighbridge('audit');
    expect(audit.status, audit.stderr).toBe(0);
    expect(audit.stdout).toMatch(/findings +none/);
    const forms = await weighbridge('report --format rows.parquet');
    expect(forms.status, forms.stderr).toBe(0);
    const due = await weighbridge('reconcile --due');
    expect(due).toMatchObject({ status: 0, stderr: expect.stringContaining('no run is due') });
    const ofAnother = scratchDir();
    chownSync(ofAnother, 10_001, 10_001);
    const run = await weighbridge('run', '10001:10001', ofAnother);
    expect(run.status, run.stderr).toBe(0);
    // What they wrote is on the volume.
    const written = (folder: string) =>
      globSync('reports/*/{plan.json,rows.parquet}', { cwd: folder }).length;
    expect([written(data), written(ofAnother)]).toEqual([2, 1]);
  },
  600_000,
);

test.skipIf(!CAN_CONTAIN)(
  'every other job runs from the image alone: nothing of a clone, no Go, no home',
  async () => {
    const made = await image();
    const gateway = await startGateway({ port: 0, seed: 1, latency: 'fast' });
    onTestFinished(() => gateway.close());
    const at = '/var/lib/weighbridge';
    const data = namedVolume(made, at);
    const run = (args: readonly string[]) =>
      runContainer(made, {
        args,
        env: { WEIGHBRIDGE_API_KEY: gateway.ready.api_key },
        mounts: [
          { at, from: data },
          { at: '/tmp', from: null },
        ],
      });
    const cap = ['--max-spend-usd', '1', '--duration', '2s', '--target', gateway.ready.base_url];
    const audit = await run(['audit', '--json', ...cap]);
    expect(audit.status, audit.stderr).toBe(0);
    const id = verdictOf(audit).run_id;
    const [row = ''] = readNdjson(join(data, 'reports', id, 'usage/records.ndjson'), record).map(
      ({ record: { request_id } }) => request_id,
    );
    const target = ['--target', gateway.ready.base_url];
    const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
    const period = ['--from', day(Date.now()), '--to', day(Date.now() + 86_400_000)];
    const jobs: readonly (readonly [status: number, says: RegExp, args: readonly string[]])[] = [
      [0, /^total: \d+ calls/m, ['plan', ...cap]],
      [0, /^total: \d+ calls/m, ['init', ...target, '--out', 'new.yaml']],
      [
        0,
        /^k6 +ok +k6 v\S+ with our extension, named by WEIGHBRIDGE_K6: \/usr\/local\/bin\/k6$/m,
        ['doctor', ...target],
      ],
      [0, /./, ['report', '--run', id, '--bundle', 'bundle.zip']],
      [0, /charged/, ['explain', row]],
      [0, /./, ['claims']],
      [0, new RegExp(id), ['history']],
      [0, /pricebook/, ['pull', ...target]],
      [0, /./, ['probe', '--check', '--config', 'new.yaml']],
      [0, /complete -F/, ['completion', 'bash']],
      [0, /bill\.double_charge/, ['gateway', '--list-faults']],
      [0, /^\d+\.\d+\.\d+/, ['--version']],
      // What a message names is there to be read.
      [2, /\/opt\/weighbridge\/docs\/pricebooks\.md/, ['pricebook', 'preview', '/opt/weighbridge/LICENSE']],
      [0, /^judged +checked: duplicates/m, ['reconcile', ...target, ...period]],
    ];
    for (const [status, says, args] of jobs) {
      const done = await run(args);
      const said = `${done.stdout}${done.stderr}`;
      expect({ args, status: done.status, said }).toMatchObject({
        args,
        status,
        said: expect.stringMatching(says),
      });
    }
  },
  600_000,
);

const record = z.object({ record: z.object({ request_id: z.string() }) });

const compose = z.object({
  services: z.object({
    weighbridge: z.object({
      read_only: z.literal(true),
      tmpfs: z.array(z.string()),
      volumes: z.array(z.string()),
      healthcheck: z.object({ test: z.tuple([z.literal('CMD')], z.string()) }),
    }),
  }),
});

test.skipIf(!CAN_CONTAIN)(
  'compose: the daemon serves its metrics, is healthy, and ends by SIGTERM',
  async () => {
    const made = await image();
    const { tmpfs, volumes, healthcheck } = compose.parse(parse(read('deploy/compose.yaml'))).services
      .weighbridge;
    const mounts: readonly Mount[] = [
      ...tmpfs.map((at) => ({ at, from: null })),
      ...volumes.map((volume) => {
        const [source = '', at = '', mode] = volume.split(':');
        const from = source.startsWith('.') ? join(ROOT, 'deploy', source) : namedVolume(made, at);
        return { at, from, readOnly: mode === 'ro' };
      }),
    ];
    // A free port in place of its own: this machine may have others at work.
    const args = made.command.map((word) => (word === ':9464' ? '127.0.0.1:0' : word));
    const daemon = startContainer(made, { args, mounts });
    onTestFinished(() => void daemon.kill('SIGKILL'));
    const ended = once(daemon, 'close');
    let errors = '';
    daemon.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors += text;
    });
    const serving = new Promise<string>((resolve) => {
      createInterface(daemon.stdout).on('line', (line) => {
        const address = /metrics at (\S+)\/metrics/.exec(line)?.[1];
        if (address !== undefined) resolve(address);
      });
    });
    const url = await Promise.race([serving, ended.then(() => Promise.reject(new Error(errors)))]);
    expect(await (await fetch(`${url}/metrics`)).text()).toContain('weighbridge_build_info');
    const [, ...entrypoint] = healthcheck.test.map((word) => word.replace('http://127.0.0.1:9464', url));
    const healthy = await runContainer(made, { entrypoint, args: [], mounts: [] });
    expect(healthy).toMatchObject({ status: 0, stderr: '' });
    daemon.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
  },
  600_000,
);

const pod = z.object({
  securityContext: z.object({
    runAsNonRoot: z.literal(true),
    runAsUser: z.int().positive(),
    runAsGroup: z.int().positive(),
    fsGroup: z.int().positive(),
  }),
  containers: z.tuple([
    z.object({
      args: z.array(z.string()),
      env: z.array(z.object({ name: z.string(), value: z.string() })),
      securityContext: z.object({
        readOnlyRootFilesystem: z.literal(true),
        allowPrivilegeEscalation: z.literal(false),
      }),
      volumeMounts: z.array(
        z.object({ name: z.string(), mountPath: z.string(), readOnly: z.boolean().optional() }),
      ),
    }),
  ]),
});
const cronJob = z.object({
  spec: z.object({ jobTemplate: z.object({ spec: z.object({ template: z.object({ spec: pod }) }) }) }),
});

/** A CronJob as a node starts it; the folder holds one for each of its volumes, of the group that its pod names. */
function runJob(image: Image, { spec }: z.infer<typeof cronJob>, volumes: string) {
  const { securityContext, containers } = spec.jobTemplate.spec.template.spec;
  const [{ args, env, volumeMounts }] = containers;
  return runContainer(image, {
    args,
    env: Object.fromEntries(env.map(({ name, value }) => [name, value])),
    user: `${securityContext.runAsUser}:${securityContext.runAsGroup}`,
    mounts: volumeMounts.map(({ name, mountPath, readOnly = false }) => {
      const from = join(volumes, name);
      for (const path of readdirSync(from)) {
        if (readOnly) chownSync(join(from, path), 0, securityContext.fsGroup);
      }
      chownSync(from, 0, securityContext.fsGroup);
      return { at: mountPath, from, readOnly };
    }),
  });
}

test.skipIf(!CAN_CONTAIN)(
  'Kubernetes: the audit and its follow-up run as the CronJobs say',
  async () => {
    const made = await image();
    const gateway = await startGateway({ port: 0, seed: 1, latency: 'fast' });
    onTestFinished(() => gateway.close());
    const volumes = scratchDir();
    const config = join(volumes, 'given.yaml');
    writeFileSync(
      config,
      `version: 1
target: { url: ${gateway.ready.base_url} }
spend: { max_usd: "1" }
duration: 3s
settle: { wait: 20s, poll: 500ms }
traffic: [{ kind: chat, rate: 2/s }]
`,
    );
    const out = join(volumes, 'k8s');
    const flags = ['--nightly', 'audit', '--image', 'weighbridge:1', '--config', config, '--out', out];
    expect(await runWeighbridge(['k8s', ...flags])).toMatchObject({ status: 0 });
    const objects = writtenObjects(out);
    const [audit, reconcile] = ['nightly-audit.yaml', 'nightly-reconcile.yaml'].map((file) =>
      cronJob.parse(objects.get(file)),
    );
    if (audit === undefined || reconcile === undefined) throw new Error('expected two CronJobs');
    for (const name of ['credentials', 'config', 'data', 'tmp']) mkdirSync(join(volumes, name));
    for (const name of ['data', 'tmp']) chmodSync(join(volumes, name), 0o2775);
    writeFileSync(join(volumes, 'credentials/api-key'), gateway.ready.api_key, { mode: 0o440 });
    for (const [name, text] of Object.entries(objects.get('schedule-config.yaml')?.data ?? {}))
      writeFileSync(join(volumes, 'config', name), text);
    const audited = await runJob(made, audit, volumes);
    expect(audited.status, audited.stderr).toBe(0);
    const [run = '', ...more] = readdirSync(join(volumes, 'data/reports')).filter((name) =>
      audited.stderr.includes(`run ${name}:`),
    );
    expect(more).toEqual([]);
    ageRun(join(volumes, 'data/reports', run), 2 * 3_600_000);
    const looked = await runJob(made, reconcile, volumes);
    expect(looked).toMatchObject({ status: 0, stderr: expect.stringContaining('1 run due') });
    expect(readdirSync(join(volumes, 'data')).sort()).toEqual(['reports', 'state']);
  },
  600_000,
);
