import { expect, test } from 'vitest';
import { auditJob } from './audit-job.ts';
import { aRun } from './load-run.test-support.ts';

const podOf = (changes: Parameters<typeof aRun>[0] = {}) => {
  const { spec } = auditJob(aRun(changes));
  const pod = spec?.template.spec;
  const [audit] = pod?.containers ?? [];
  return { spec, pod, audit, before: pod?.initContainers ?? [] };
};
const RUN = '/var/lib/weighbridge/reports/20261121T180049Z-8084';

test('the audit makes the folder of the run whole, waits for all engines with a limit, and judges once', () => {
  const { spec, pod, audit, before } = podOf();
  expect(before.map(({ name }) => name)).toEqual(['plan', 'engines']);
  expect(before[0]?.command).toEqual([
    ...['install', '-D', '-m', '0644', '-t', RUN],
    ...['/etc/weighbridge/run/plan.json', '/etc/weighbridge/run/config.yaml'],
  ]);
  expect(before[1]?.args).toEqual(['k8s', 'await', RUN, '--engines', '3', '--within', '45m']);
  expect(audit?.args?.slice(0, 3)).toEqual(['reconcile', '--ledger', RUN]);
  expect(audit?.env).toContainEqual({ name: 'WEIGHBRIDGE_CONFIG', value: `${RUN}/config.yaml` });
  // The wait, and an hour to judge.
  expect(spec).toMatchObject({ backoffLimit: 0, activeDeadlineSeconds: 6300 });
  expect(pod?.restartPolicy).toBe('Never');
});

test('only the container that reads the bill sees the key', () => {
  const { audit, before } = podOf();
  const seen = (mounts: readonly { readonly name: string }[] = []) => mounts.map(({ name }) => name);
  expect(seen(audit?.volumeMounts)).toContain('credentials');
  for (const { volumeMounts, env } of before) {
    expect(seen(volumeMounts)).not.toContain('credentials');
    expect(env).toBeUndefined();
  }
});

test('a plan on the volume needs no copy, and a target without a bill a report alone', () => {
  const { audit, before } = podOf({ onVolume: true, hasBill: false });
  expect(before.map(({ name }) => name)).toEqual(['engines']);
  expect(audit?.args).toEqual([
    ...['report', '--run', '20261121T180049Z-8084', '--out', '/var/lib/weighbridge/reports'],
  ]);
});
