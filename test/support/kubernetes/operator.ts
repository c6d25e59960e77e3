import { z } from 'zod';

/*
 * What k6-operator v1.6.0 takes and makes of it, in our own words: field names of its TestRun, and the command lines of its pods.
 * Its sources are AGPL-3.0 and not on the Go proxy, so that neither its definition nor its code can stand here.
 */

const names = z.record(z.string(), z.string());
const mount = z.strictObject({ name: z.string(), mountPath: z.string(), readOnly: z.boolean().optional() });
const variable = z.strictObject({
  name: z.string(),
  value: z.string().optional(),
  valueFrom: z.looseObject({}).optional(),
});

const pod = z.strictObject({
  disabled: z.boolean().optional(),
  affinity: z.looseObject({}).optional(),
  automountServiceAccountToken: z.string().optional(),
  env: z.array(variable).default([]),
  image: z.string().optional(),
  metadata: z.strictObject({ annotations: names.optional(), labels: names.optional() }).optional(),
  resources: z.looseObject({}).optional(),
  securityContext: z.looseObject({}).optional(),
  containerSecurityContext: z.looseObject({}).optional(),
  livenessProbe: z.looseObject({}).optional(),
  volumes: z.array(z.looseObject({ name: z.string() })).default([]),
  volumeMounts: z.array(mount).default([]),
});

export const testRunSchema = z.strictObject({
  apiVersion: z.literal('k6.io/v1alpha1'),
  kind: z.literal('TestRun'),
  metadata: z.strictObject({ name: z.string(), labels: names }),
  spec: z.strictObject({
    parallelism: z.int().min(1),
    script: z.strictObject({ localFile: z.string() }),
    args: z.array(z.string()).min(1),
    initializer: pod,
    starter: pod,
    runner: pod,
  }),
});
export type TestRunObject = z.infer<typeof testRunSchema>;

/** Name and number of the Job that a runner is; its pod has the name as a label. */
export function runnerName({ metadata }: TestRunObject, index: number): string {
  return `${metadata.name}-${index}`;
}

/** The command of runner `index`, from 1 on. A local script is looked for first, by a shell that `exec` replaces. */
export function runnerCommand({ metadata, spec }: TestRunObject, index: number): readonly string[] {
  const { parallelism: count, args, script } = spec;
  const at = (n: number): string => (n === 0 ? '0' : n === count ? '1' : `${n}/${count}`);
  const segments = [
    `--execution-segment=${at(index - 1)}:${at(index)}`,
    `--execution-segment-sequence=${Array.from({ length: count + 1 }, (_, n) => at(n)).join(',')}`,
  ];
  return [
    ...['sh', '-c', '[ -f "$1" ] || exit 1\nshift\nexec "$@"', 'sh', script.localFile],
    ...['k6', 'run', '--quiet', ...(count > 1 ? segments : []), ...args],
    ...[script.localFile, '--address=0.0.0.0:6565', '--paused'],
    ...['--tag', `instance_id=${index}`, '--tag', `testrun_name=${metadata.name}`],
  ];
}

/** What the initializer runs first: its own variables, and of the arguments all that `k6 archive` takes. */
export function archiveCommand({ spec }: TestRunObject): readonly string[] {
  const { script, initializer, args } = spec;
  const out = args.flatMap((arg, at) => (arg === '--out' ? [at, at + 1] : []));
  return [
    ...['k6', 'archive', script.localFile],
    ...initializer.env.flatMap(({ name }) => ['-e', `${name}=$(${name})`]),
    ...['-O', '/tmp/mixed.js.archived.tar'],
    ...args.filter((_, at) => !out.includes(at)),
  ];
}

/** A runner as a Job: what Kubernetes is asked for. */
export function runnerJob(run: TestRunObject, index: number) {
  const { runner } = run.spec;
  const labels = { ...runner.metadata?.labels, app: 'k6', k6_cr: run.metadata.name, runner: 'true' };
  return {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: runnerName(run, index), labels },
    spec: {
      backoffLimit: 0,
      template: {
        metadata: { labels },
        spec: {
          hostname: runnerName(run, index),
          restartPolicy: 'Never',
          automountServiceAccountToken: runner.automountServiceAccountToken !== 'false',
          affinity: runner.affinity,
          securityContext: runner.securityContext,
          containers: [
            {
              name: 'k6',
              image: runner.image,
              command: runnerCommand(run, index),
              env: runner.env,
              resources: runner.resources,
              volumeMounts: runner.volumeMounts,
              livenessProbe: runner.livenessProbe,
              securityContext: runner.containerSecurityContext,
            },
          ],
          volumes: runner.volumes,
        },
      },
    },
  };
}
