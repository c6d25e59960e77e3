import type { Plan } from '../../src/contracts/plan.ts';

/**
 * k6 options for how connections are made. Debugging output is not among them: k6's own would print the key.
 * `version`: that of the extension.
 */
export function httpOptionsOf({ run_id, workload }: Pick<Plan, 'run_id' | 'workload'>, version: string) {
  const { rps, dns, hosts, insecure_skip_tls_verify, tls_min, reuse } = workload.http;
  return {
    userAgent: `weighbridge/${version} run/${run_id}`,
    ...(rps === null ? {} : { rps }),
    dns,
    ...(Object.keys(hosts).length === 0 ? {} : { hosts }),
    insecureSkipTLSVerify: insecure_skip_tls_verify,
    ...(tls_min === null ? {} : { tlsVersion: { min: tls_min } }),
    noConnectionReuse: reuse === 'none',
    noVUConnectionReuse: reuse === 'iteration',
  };
}
