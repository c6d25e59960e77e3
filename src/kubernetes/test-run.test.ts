import { expect, test } from 'vitest';
import { runnerCommand, testRunSchema } from '../../test/support/kubernetes/operator.ts';
import { aRun } from './load-run.test-support.ts';
import { testRun } from './test-run.ts';

/** As the operator reads it. */
const read = (changes: Parameters<typeof aRun>[0] = {}) =>
  testRunSchema.parse(JSON.parse(JSON.stringify(testRun(aRun(changes)))));

test('k6 is process 1 of a runner: its arguments are words, and the shell that looks for the script is replaced', () => {
  const run = read();
  expect(run.spec).not.toHaveProperty('arguments');
  const [shell, flag, script, ...words] = runnerCommand(run, 2);
  expect([shell, flag]).toEqual(['sh', '-c']);
  expect(script?.split('\n').at(-1)).toBe('exec "$@"');
  expect(words.slice(0, 7)).toEqual([
    ...['sh', '/opt/weighbridge/dist/scenarios/mixed.js', 'k6', 'run', '--quiet'],
    ...['--execution-segment=1/3:2/3', '--execution-segment-sequence=0,1/3,2/3,1'],
  ]);
  expect(words).toContain('weighbridge=/var/lib/weighbridge/reports/20261121T180049Z-8084/calls');
});

test('the key is a file of the runners alone; no variable and no word holds it', () => {
  const { runner, initializer, starter } = read({
    secret: {
      name: 'keys',
      credentials: ['api-key', 'access-token'],
      files: ['tenant'],
      variables: ['TENANT'],
    },
  }).spec;
  const credentials = { name: 'credentials', secret: { secretName: 'keys', defaultMode: 0o440 } };
  expect(runner.volumes).toContainEqual(credentials);
  expect(runner.volumeMounts).toContainEqual({
    name: 'credentials',
    mountPath: '/run/secrets/weighbridge',
    readOnly: true,
  });
  expect(runner.env).toContainEqual({
    name: 'WEIGHBRIDGE_API_KEY_FILE',
    value: '/run/secrets/weighbridge/api-key',
  });
  expect(runner.env).toContainEqual({
    name: 'TENANT',
    valueFrom: { secretKeyRef: { name: 'keys', key: 'TENANT' } },
  });
  expect(runner.env.filter(({ valueFrom }) => valueFrom !== undefined).map(({ name }) => name)).toEqual([
    'WEIGHBRIDGE_INSTANCE',
    'TENANT',
  ]);
  // The operator repeats the variables of the initializer on a command line.
  for (const pod of [initializer, starter])
    expect(JSON.stringify(pod)).not.toMatch(/secret|API_KEY|ACCESS_TOKEN/i);
  expect(initializer.env).toContainEqual({ name: 'TENANT', value: 'not-here' });
});

test('engines and runs are told apart: each runner is named by its Job, its samples too', () => {
  const { spec } = read({ targetName: 'two $(B) $5' });
  expect(spec.runner.env).toContainEqual({
    name: 'WEIGHBRIDGE_INSTANCE',
    valueFrom: { fieldRef: { fieldPath: "metadata.labels['batch.kubernetes.io/job-name']" } },
  });
  const tags = spec.args.flatMap((arg, at) => (spec.args[at - 1] === '--tag' ? [arg] : []));
  expect(tags).toEqual([
    'testid=20261121T180049Z-8084',
    'target_name=two $$(B) $$5',
    'instance=$(WEIGHBRIDGE_INSTANCE)',
  ]);
  expect(spec.runner.metadata?.labels).toMatchObject({
    'app.kubernetes.io/instance': '20261121T180049Z-8084',
  });
});

test('samples are pushed where the configuration says, with secrets that no initializer has', () => {
  const { args, runner, initializer } = read({
    remoteWrite: { url: 'https://prom.example/write', username: null, password: null, bearerToken: 'RW' },
  }).spec;
  expect(args.join(' ')).toContain('--out experimental-prometheus-rw');
  expect(runner.env).toContainEqual({
    name: 'K6_PROMETHEUS_RW_SERVER_URL',
    value: 'https://prom.example/write',
  });
  expect(runner.env).toContainEqual({
    name: 'K6_PROMETHEUS_RW_BEARER_TOKEN',
    valueFrom: { secretKeyRef: { name: 'weighbridge-credentials', key: 'RW' } },
  });
  expect(JSON.stringify(initializer)).not.toContain('RW_BEARER');
  expect(read().spec.args.join(' ')).not.toContain('prometheus');
});

test('the plan is read from a ConfigMap, or from the volume where it is too large for one', () => {
  const planOf = (changes: Parameters<typeof aRun>[0]) => {
    const { runner, initializer } = read(changes).spec;
    return [runner, initializer].map(({ env, volumes }) => ({
      plan: env.find(({ name }) => name === 'WEIGHBRIDGE_PLAN')?.value,
      volumes: volumes.map(({ name }) => name),
    }));
  };
  const mapped = '/etc/weighbridge/run/plan.json';
  expect(planOf({})).toEqual([
    { plan: mapped, volumes: ['data', 'config', 'credentials', 'tmp'] },
    { plan: mapped, volumes: ['config', 'tmp'] },
  ]);
  const stored = '/var/lib/weighbridge/reports/20261121T180049Z-8084/plan.json';
  expect(planOf({ onVolume: true })).toEqual([
    { plan: stored, volumes: ['data', 'credentials', 'tmp'] },
    { plan: stored, volumes: ['data', 'tmp'] },
  ]);
});

test('on one node every pod of a run asks for the node of the others', () => {
  const { runner, initializer } = read({ oneNode: true }).spec;
  for (const pod of [runner, initializer]) {
    expect(pod.affinity).toEqual({
      podAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          {
            labelSelector: { matchLabels: { 'app.kubernetes.io/instance': '20261121T180049Z-8084' } },
            topologyKey: 'kubernetes.io/hostname',
          },
        ],
      },
    });
    expect(pod.metadata?.labels).toHaveProperty('app.kubernetes.io/instance');
  }
  expect(read().spec.runner.affinity).toBeUndefined();
});

test('a busy engine is not taken for a dead one, and nothing throttles it', () => {
  const { runner } = read().spec;
  expect(runner.livenessProbe).toMatchObject({ timeoutSeconds: 5, failureThreshold: 30 });
  expect(runner.resources).toEqual({ requests: { cpu: '1', memory: '1Gi' } });
});
