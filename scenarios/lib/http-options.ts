import type { Plan } from '../../src/contracts/plan.ts';

/**
 * k6 options for how connections are made. Debugging output is not among them: k6's own would print the key.
 * `version`: that of the extension. k6 holds `rps` for itself, so that each of several takes its part of the run's.
 */
export function httpOptionsOf(
  { run_id, workload, instances = 1 }: Pick<Plan, 'run_id' | 'workload' | 'instances'>,
  version: string,
) {
  const { rps, dns, hosts, insecure_skip_tls_verify, tls_min, reuse } = workload.http;
  return {
    userAgent: `weighbridge/${version} run/${run_id}`,
    ...(rps === null ? {} : { rps: Math.floor(rps / instances) }),
    dns,
    ...(Object.keys(hosts).length === 0 ? {} : { hosts }),
    insecureSkipTLSVerify: insecure_skip_tls_verify,
    ...(tls_min === null ? {} : { tlsVersion: { min: tls_min } }),
    noConnectionReuse: reuse === 'none',
    noVUConnectionReuse: reuse === 'iteration',
  };
}
