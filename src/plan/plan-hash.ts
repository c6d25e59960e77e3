import { createHash } from 'node:crypto';
import type { Workload } from '../contracts/plan.ts';
import { canonicalJson } from '../text/canonical-json.ts';

/** SHA-256 (hex) of the workload's canonical JSON: equal hashes plan equal calls. */
export function planHash(workload: Workload): string {
  return createHash('sha256').update(canonicalJson(workload)).digest('hex');
}
