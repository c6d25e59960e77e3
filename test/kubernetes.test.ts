import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { UNWATCHED } from '../src/app/notices/unwatched.test-support.ts';
import { buildProgram, runProgram } from '../src/cli/program.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { planSchema, promptsBeside } from '../src/contracts/plan.ts';
import { parseQuery } from '../src/dashboards/promql/promtool.test-support.ts';
import { startGateway } from '../src/gateway/start-gateway.ts';
import { loadManifests } from '../src/kubernetes/load-manifests.ts';
import { aRun } from '../src/kubernetes/load-run.test-support.ts';
import { manifestText } from '../src/kubernetes/manifest-text.ts';
import { volumePodManifest } from '../src/kubernetes/volume-pod.ts';
import { shownOn } from './support/docs/shown-commands.ts';
import { runnerJob, testRunSchema } from './support/kubernetes/operator.ts';
import { KUBERNETES, validated } from './support/kubernetes/validate.ts';
import { podOf, type WrittenObject, writtenObjects } from './support/kubernetes/written-folder.ts';
import { ROOT } from './support/run-weighbridge.ts';

const dir = mkdtempSync(join(tmpdir(), 'wb-kubernetes-'));
let gateway: Awaited<ReturnType<typeof startGateway>>;
const CONFIG = join(dir, 'weighbridge.yaml');
const LOAD_CONFIG = join(dir, 'load.yaml');

beforeAll(async () => {
  gateway = await startGateway({ port: 0, seed: 1, latency: 'fast' });
  const { base_url } = gateway.ready;
  writeFileSync(LOAD_CONFIG, `version: 1\ntarget: { url: ${base_url} }\nspend: { max_usd: "2.00" }\n`);
  writeFileSync(
    CONFIG,
    `version: 1
probe:
  drain: 40s
  budget: { usd_per_hour: "0.10", usd_per_day: "1.00" }
  targets:
    - { name: main, url: ${base_url}, key: env:WEIGHBRIDGE_API_KEY, access_token: file:/run/secrets/weighbridge/token, user_id: env:TENANT_USER }
`,
  );
});
afterAll(async () => {
  await gateway.close();
  rmSync(dir, { recursive: true });
});

const lines = (said: string[]) => ({
  out: (line: string) => said.push(line),
  err: (line: string) => said.push(line),
  ...UNWATCHED,
  width: 100,
});

const answer = z.object({
  dir: z.string(),
  run_id: z.string().nullable(),
  files: z.array(z.string()),
  commands: z.array(z.string()),
});

/** The folder that `weighbridge k8s` wrote, and its answer. */
async function made(name: string, ...flags: readonly string[]) {
  const out = join(dir, name);
  const said: string[] = [];
  const fixed = [
    '--image',
    'registry.example/weighbridge:1',
    '--state',
    join(dir, `state-${name}`),
    '--json',
  ];
  const args = ['k8s', '--out', out, ...fixed, ...flags];
  const env = { WEIGHBRIDGE_API_KEY: gateway.ready.api_key };
  expect(await runProgram(args, { ...lines(said), env }), said.join('\n')).toBe(0);
  return { out, objects: writtenObjects(out), ...answer.parse(JSON.parse(said.at(-1) ?? '')) };
}

const LOAD = ['--instances', '3', '--config', LOAD_CONFIG];
const WATCH = ['--probe', '--config', CONFIG];
const TIMES = ['--month', 'last', '--nightly', 'audit', '--config', LOAD_CONFIG];

/** Kinds that Kubernetes itself has no schema of. */
const CUSTOM = ['TestRun', 'ServiceMonitor', 'PrometheusRule'];

/** Paths of what Kubernetes knows, and of the Jobs that the operator makes of a TestRun. */
function checkable(out: string, objects: ReadonlyMap<string, WrittenObject>): readonly string[] {
  return [...objects].flatMap(([file, object]) => {
    if (!CUSTOM.includes(object.kind)) return [join(out, file)];
    if (object.kind !== 'TestRun') return [];
    const job = join(dir, `${file}-job.yaml`);
    writeFileSync(job, stringify(runnerJob(testRunSchema.parse(object), 1)));
    return [job];
  });
}

/** A plan on the volume, on one node, with every secret that there can be. */
function volumeFolder(): string {
  const out = join(dir, 'volume');
  mkdirSync(out);
  const run = aRun({
    onVolume: true,
    oneNode: true,
    secret: { name: 'keys', credentials: ['api-key'], files: ['tenant'], variables: ['TENANT'] },
    remoteWrite: { url: 'https://prom.example', username: 'me', password: 'RW', bearerToken: 'TOKEN' },
  });
  for (const each of [...loadManifests(run), volumePodManifest(run)])
    writeFileSync(join(out, each.file), manifestText(each));
  return out;
}

test('every manifest fits the schemas of Kubernetes, oldest and newest; a member it does not know fits neither', async () => {
  const folders = [
    await made('checked-load', ...LOAD),
    await made('checked-probe', ...WATCH),
    await made('checked-times', ...TIMES),
    await made('checked-run', '--nightly', 'run', '--config', LOAD_CONFIG),
  ];
  const volume = volumeFolder();
  const files = [
    ...folders.flatMap(({ out, objects }) => checkable(out, objects)),
    ...checkable(volume, writtenObjects(volume)),
  ];
  expect(files.length).toBeGreaterThan(30);
  expect(validated(files)).toEqual({ passed: files.length * KUBERNETES.length, faults: '' });
  const broken = join(dir, 'broken.yaml');
  const audit = readFileSync(join(volume, 'audit.yaml'), 'utf8');
  writeFileSync(broken, audit.replace('backoffLimit', 'backofLimit'));
  expect(validated([broken])).toMatchObject({ passed: 0, faults: expect.stringContaining('backofLimit') });
});

test('a TestRun fits what the operator takes, and every name and label what Kubernetes takes', async () => {
  const load = await made('named', ...LOAD);
  const run = testRunSchema.parse(load.objects.get('test-run.yaml'));
  expect(run.spec.parallelism).toBe(3);
  const written = [...load.objects, ...(await made('named-probe', ...WATCH)).objects].map(
    ([, object]) => object,
  );
  for (const { metadata } of written) {
    // The operator adds at most `-service-999`, and a pod six more letters.
    expect(metadata.name).toMatch(/^[a-z][a-z0-9-]{0,44}[a-z0-9]$/);
    for (const value of Object.values(metadata.labels))
      expect(value).toMatch(/^[A-Za-z0-9][\w.-]{0,61}\w$|^1$/);
  }
});

test('a pod has every volume that it mounts, runs as no root and writes to volumes alone', async () => {
  const all = [
    ...(await made('pods-load', ...LOAD)).objects,
    ...(await made('pods-probe', ...WATCH)).objects,
    ...(await made('pods-times', ...TIMES)).objects,
  ];
  const pods = all.flatMap(([, object]) => podOf(object) ?? []);
  expect(pods).toHaveLength(6);
  for (const pod of pods) {
    const volumes = pod.volumes.map(({ name }) => name);
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      securityContext: { runAsNonRoot: true, fsGroup: 1000, seccompProfile: { type: 'RuntimeDefault' } },
    });
    for (const { volumeMounts, securityContext } of [...pod.containers, ...pod.initContainers]) {
      expect(volumeMounts.map(({ mountPath }) => mountPath)).toContain('/tmp');
      expect(volumeMounts.map(({ name }) => name).filter((name) => !volumes.includes(name))).toEqual([]);
      expect(securityContext).toMatchObject({
        readOnlyRootFilesystem: true,
        allowPrivilegeEscalation: false,
        capabilities: { drop: ['ALL'] },
      });
    }
  }
});

test('every command of a pod is a command line that can be given', async () => {
  const objects = [
    ...(await made('words-load', ...LOAD)).objects,
    ...(await made('words-probe', ...WATCH)).objects,
    ...(await made('words-times', ...TIMES)).objects,
  ].map(([, object]) => object);
  const given = objects
    .flatMap((object) => {
      const pod = podOf(object);
      return pod === null ? [] : [...pod.initContainers, ...pod.containers];
    })
    .flatMap(({ args, command }) => (command === undefined ? [args ?? []] : []));
  const names = given.map(([name]) => name);
  expect(names.sort()).toEqual(['audit', 'k8s', 'probe', 'reconcile', 'reconcile', 'reconcile']);
  for (const args of given) {
    const said: string[] = [];
    const program = buildProgram({ ...lines(said), env: {} }, () => undefined);
    let ran = '';
    for (const each of program.commands.flatMap((command) => [command, ...command.commands]))
      each.action(() => {
        ran = each.name();
      });
    await program.parseAsync([...args], { from: 'user' }).catch(() => undefined);
    expect({ args, ran, said }).toEqual({ args, ran: args[0] === 'k8s' ? 'await' : args[0], said: [] });
  }
});

test('a load carries its plan and its configuration, and no file holds the key', async () => {
  const load = await made('load', ...LOAD, '--duration', '10s');
  const { data = {} } = load.objects.get('plan.yaml') ?? {};
  const plan = planSchema.parse(JSON.parse(data['plan.json'] ?? ''));
  expect(plan).toMatchObject({
    run_id: load.run_id,
    cap: { max_spend_usd: '2.00' },
    workload: { duration_ms: 10_000 },
  });
  const config = join(dir, 'carried.yaml');
  writeFileSync(config, data['config.yaml'] ?? '');
  expect(loadConfig({ file: config, env: {}, flags: {} })).toMatchObject({
    duration_ms: 10_000,
    target: { bases: { root: gateway.ready.base_url } },
  });
  for (const name of readdirSync(load.out, { recursive: true, encoding: 'utf8' }))
    if (name.endsWith('.yaml'))
      expect(readFileSync(join(load.out, name), 'utf8')).not.toContain(gateway.ready.api_key);
  const kustomization: unknown = parse(readFileSync(join(load.out, 'kustomization.yaml'), 'utf8'));
  expect(kustomization).toMatchObject({
    kind: 'Kustomization',
    resources: ['plan.yaml', 'ledgers.yaml', 'network-policy.yaml', 'test-run.yaml', 'audit.yaml'],
  });
  expect(load.files).toContain('volume-pod.yaml');
  expect(load.commands[0]).toBe(
    'kubectl create secret generic weighbridge-credentials --from-file=api-key=api-key.txt',
  );
});

test('a plan with a long trace stands beside the manifests, with its trace, for the volume', async () => {
  const trace = join(dir, 'trace.ndjson');
  const starts = Array.from({ length: 12_000 }, (_, n) =>
    JSON.stringify({ timestamp: n, input_length: 20, output_length: 5 }),
  );
  writeFileSync(trace, `${starts.join('\n')}\n`);
  const config = join(dir, 'trace.yaml');
  writeFileSync(
    config,
    `version: 1
target: { url: ${gateway.ready.base_url} }
spend: { max_usd: "20.00" }
trace: { file: ${trace} }
`,
  );
  const load = await made('traced', '--instances', '2', '--config', config);
  expect(load.objects.has('plan.yaml')).toBe(false);
  const stored = readdirSync(join(load.out, load.run_id ?? ''));
  expect(stored.sort()).toEqual(['config.yaml', 'plan.json', 'trace.ndjson']);
  expect(load.commands.filter((line) => line.startsWith('kubectl cp '))).toHaveLength(1);
});

test('prompts go with the plan, under the name by which the engine looks for them beside it', async () => {
  const file = join(dir, 'prompts.txt');
  writeFileSync(file, 'How tall is a beech?\nWhat does rain weigh?\n');
  const config = join(dir, 'prompts.yaml');
  writeFileSync(
    config,
    `version: 1
target: { url: ${gateway.ready.base_url} }
spend: { max_usd: "2.00" }
traffic: [{ kind: chat, rate: 1/s, prompts: { file: ${file} } }]
`,
  );
  const { objects } = await made('prompts', '--instances', '2', '--config', config);
  const { data = {} } = objects.get('plan.yaml') ?? {};
  const plan = planSchema.parse(JSON.parse(data['plan.json'] ?? ''));
  expect(plan.instances).toBe(2);
  const [prompts] = plan.workload.scenarios.flatMap(({ text }) => text?.prompts ?? []);
  if (prompts === undefined) throw new Error('expected prompts');
  expect(data[promptsBeside(prompts)]).toBe(readFileSync(file, 'utf8'));
});

test('a load takes its whole cap of the budget here; one that finds no room writes nothing', async () => {
  const config = join(dir, 'budget.yaml');
  const budget = 'budget: { usd_per_hour: "3.00", usd_per_day: "3.00" }';
  writeFileSync(
    config,
    `version: 1
target: { url: ${gateway.ready.base_url}, ${budget} }
spend: { max_usd: "2.00" }
`,
  );
  const flags = ['--instances', '2', '--config', config, '--state', join(dir, 'budget')];
  await made('within', ...flags);
  const said: string[] = [];
  const out = join(dir, 'beyond');
  const args = ['k8s', ...flags, '--image', 'weighbridge:1', '--out', out];
  const env = { WEIGHBRIDGE_API_KEY: gateway.ready.api_key };
  expect(await runProgram(args, { ...lines(said), env })).toBe(6);
  expect(said.join('\n')).toContain('budget_exhausted');
  expect(readdirSync(out)).toEqual([]);
});

test('only the operator and the starter of the run reach the port of its engines', async () => {
  const load = await made('policy', ...LOAD, '--operator-namespace', 'load-tests');
  const run = testRunSchema.parse(load.objects.get('test-run.yaml'));
  const name = run.metadata.name;
  expect(load.objects.get('network-policy.yaml')?.spec).toEqual({
    podSelector: { matchLabels: { app: 'k6', k6_cr: name, runner: 'true' } },
    policyTypes: ['Ingress'],
    ingress: [
      {
        from: [
          { podSelector: { matchLabels: { app: 'k6', k6_cr: name, 'job-name': `${name}-starter` } } },
          { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'load-tests' } } },
        ],
        ports: [{ protocol: 'TCP', port: 6565 }],
      },
    ],
  });
});

const selecting = z.object({ selector: z.unknown() });

test('the daemon: one at a time, scraped under the name that the rules look for, with what it needs of the Secret', async () => {
  const { objects, commands } = await made('probe', ...WATCH);
  const of = (file: string): WrittenObject => {
    const found = objects.get(file);
    if (found === undefined) throw new Error(`expected ${file}`);
    return found;
  };
  const deployment = of('probe.yaml');
  const { labels } = z
    .object({ template: z.object({ metadata: z.object({ labels: z.record(z.string(), z.string()) }) }) })
    .parse(deployment.spec).template.metadata;
  expect(deployment.spec).toMatchObject({
    replicas: 1,
    strategy: { type: 'Recreate' },
    selector: { matchLabels: labels },
    // Longer than probe.drain.
    template: { spec: { terminationGracePeriodSeconds: 55 } },
  });
  expect(of('probe-state.yaml').spec).toMatchObject({ accessModes: ['ReadWriteOncePod'] });
  const service = of('probe-service.yaml');
  expect(selecting.parse(service.spec).selector).toEqual(labels);
  expect(selecting.parse(of('probe-monitor.yaml').spec).selector).toEqual({
    matchLabels: service.metadata.labels,
  });
  expect(JSON.stringify(of('rules.yaml'))).toContain(`job=\\"${service.metadata.name}\\"`);
  const env = podOf(deployment)?.containers[0]?.env ?? [];
  expect(env.map(({ name }) => name)).toEqual(['WEIGHBRIDGE_API_KEY', 'TENANT_USER']);
  expect(podOf(deployment)?.volumes.map(({ name }) => name)).toContain('credentials');
  expect(commands[0]).toBe(
    'kubectl create secret generic weighbridge-credentials --from-file=token=token.txt --from-file=api-key=api-key.txt --from-file=TENANT_USER=TENANT_USER.txt',
  );
  expect(of('probe-config.yaml').data).toEqual({ 'weighbridge.yaml': readFileSync(CONFIG, 'utf8') });
});

test('the lines of docs/kubernetes.md for the daemon and for set times write what the page says', async () => {
  const shown = shownOn('docs/kubernetes.md').commands.map(({ command }) => command);
  for (const [flag, files] of [
    ['--probe', ['probe.yaml', 'probe-monitor.yaml', 'rules.yaml', 'dashboard-load.yaml']],
    ['--month', ['month.yaml', 'nightly-audit.yaml', 'nightly-reconcile.yaml']],
  ] as const) {
    const line = shown.find((command) => command.startsWith(`weighbridge k8s ${flag} `)) ?? '';
    const out = join(dir, `shown${flag}`);
    const given = line
      .replace('weighbridge.yaml', CONFIG)
      .replace(/--out \S+/, `--out ${out}`)
      .split(' ');
    const said: string[] = [];
    expect(await runProgram(given.slice(1), { ...lines(said), env: {} }), said.join('\n')).toBe(0);
    expect(readdirSync(out)).toEqual(expect.arrayContaining([...files]));
  }
});

test('docs/kubernetes.md: what kubectl is given are files, keys and names of the manifests', async () => {
  const { out, objects, commands, run_id } = await made('page', ...LOAD);
  const names = [...objects].map(([, { metadata }]) => metadata.name);
  const shown = shownOn('docs/kubernetes.md')
    .commands.filter(({ command, block }) => block && command.startsWith('kubectl '))
    .map(({ command }) => command.replaceAll('20261121T180049Z-8084', run_id ?? ''))
    .map((command) => command.replaceAll('20261121t180049z-8084', (run_id ?? '').toLowerCase()));
  expect(shown.length).toBeGreaterThan(8);
  for (const command of shown) {
    for (const [, file = ''] of command.matchAll(/ k8s\/(\S+)/g)) expect([...objects.keys()]).toContain(file);
    for (const [, name = ''] of command.matchAll(/(?:job\/|pod\/|pod |testrun | cp )(weighbridge-[\w-]+)/g))
      expect(names).toContain(name);
  }
  // The last lines of the command itself, but for the file of the key and the folder.
  const told = commands.map((command) => command.replace(out, 'k8s').replace('api-key.txt', 'key.txt'));
  for (const command of told.filter((line) => !line.includes('get pods'))) expect(shown).toContain(command);
});

test('rules and dashboards are those of the project, each dashboard under the label of the sidecar', async () => {
  const { objects } = await made('boards', ...WATCH);
  const rules = readFileSync(join(ROOT, 'dashboards/rules/weighbridge.rules.yml'), 'utf8');
  expect(objects.get('rules.yaml')?.spec).toEqual(parse(rules));
  const boards = readdirSync(join(ROOT, 'dashboards/grafana'));
  expect(boards.length).toBeGreaterThan(5);
  for (const name of boards) {
    const file = name.replace('weighbridge-', 'dashboard-').replace('.json', '.yaml');
    expect(objects.get(file)).toMatchObject({
      metadata: { labels: { grafana_dashboard: '1' } },
      data: { [name]: readFileSync(join(ROOT, 'dashboards/grafana', name), 'utf8') },
    });
  }
});

const cronJob = z.object({
  schedule: z.string(),
  timeZone: z.literal('Etc/UTC'),
  concurrencyPolicy: z.literal('Forbid'),
  startingDeadlineSeconds: z.int(),
  jobTemplate: z.object({
    spec: z.looseObject({
      backoffLimit: z.literal(0),
      parallelism: z.literal(1),
      completions: z.literal(1),
      template: z.object({
        spec: z.looseObject({ restartPolicy: z.literal('Never'), hostname: z.string() }),
      }),
    }),
  }),
});

test('schedules: one pod, once, on one volume; the month on the 3rd, a missed night not made up for', async () => {
  const { objects } = await made('times', ...TIMES);
  const jobs = [...objects].flatMap(([file, { kind, spec }]) =>
    kind === 'CronJob' ? [[file, cronJob.parse(spec)] as const] : [],
  );
  expect(
    jobs.map(([file, { schedule, startingDeadlineSeconds }]) => [file, schedule, startingDeadlineSeconds]),
  ).toEqual([
    ['month.yaml', '0 6 3 * *', 86_400],
    ['nightly-audit.yaml', '0 2 * * *', 600],
    ['nightly-reconcile.yaml', '30 * * * *', 600],
  ]);
  // Both take over the locks of the dead by one host name: safe where one pod at a time has the volume.
  for (const [, { jobTemplate }] of jobs) {
    expect(jobTemplate.spec.template.spec.hostname).toBe('weighbridge');
    expect(
      Object.keys(jobTemplate.spec).filter((key) => /PerIndex|podFailurePolicy|podReplacement/.test(key)),
    ).toEqual([]);
  }
  expect(objects.get('schedule-data.yaml')?.spec).toMatchObject({ accessModes: ['ReadWriteOncePod'] });
  const [, nightly] = [...objects].find(([file]) => file === 'nightly-audit.yaml') ?? [];
  const args = (nightly && podOf(nightly))?.containers[0]?.args?.join(' ');
  expect(args).toMatch(/^audit --every 24h --baseline last-good /);
  const run = await made('times-run', '--nightly', 'run', '--config', LOAD_CONFIG);
  expect([...run.objects.keys()].filter((file) => file.startsWith('nightly'))).toEqual(['nightly-run.yaml']);
});

test('docs/scheduled-runs.md: what the page gives Prometheus in place of the daemon is a rule for the CronJob', async () => {
  const page = readFileSync(join(ROOT, 'docs/scheduled-runs.md'), 'utf8');
  const [, expr = ''] = /`(time\(\) - kube_cronjob[^`]+)`/.exec(page) ?? [];
  expect(parseQuery(expr)).toBeNull();
  const [, job = ''] = /cronjob="([^"]+)"/.exec(expr) ?? [];
  const { objects } = await made('ruled', ...TIMES);
  expect(objects.get('nightly-audit.yaml')?.metadata.name).toBe(job);
});
