import { parseInstant } from '../core/time.ts';
import { chargedOf } from './billing-settings.ts';
import { expectedCharge } from './expected-charge.ts';
import { bookOf, type JudgeContext } from './judge-context.ts';
import type { PaidCall } from './paid-call.ts';
import { recordDue } from './record-due.ts';
import type { ServedRecord } from './served-record.ts';

/** Calls without an id and request groups without a call that may belong together, but not which to which. */
export interface OpenCluster {
  readonly calls: readonly PaidCall[];
  /** Records by request id: one group a request. */
  readonly groups: readonly (readonly ServedRecord[])[];
}

/** `created_at` is in whole seconds and clocks differ a little. */
const CLOCK_SLACK_MS = 5_000;

/**
 * Groups open calls with the records that may be theirs, by model, time and highest possible charge. Clusters share
 * neither calls nor records; records that fit no call are left out.
 */
export function openClusters(
  context: JudgeContext,
  calls: readonly PaidCall[],
  records: readonly ServedRecord[],
): { readonly clusters: readonly OpenCluster[]; readonly leftover: readonly ServedRecord[] } {
  const open = calls.filter((call) => recordDue(call) !== 'never');
  const groups = [...Map.groupBy(records, (record) => record.request_id || record.key).values()];
  const cluster = new Map<PaidCall, OpenCluster>(open.map((call) => [call, { calls: [call], groups: [] }]));
  const leftover: ServedRecord[] = [];
  for (const group of groups) {
    const fitting = new Set(
      open.filter((call) => fits(context, call, group)).map((call) => cluster.get(call)),
    );
    const parts = [...fitting].filter((part) => part !== undefined);
    if (parts.length === 0) {
      leftover.push(...group);
      continue;
    }
    const joined: OpenCluster = {
      calls: parts.flatMap((part) => part.calls),
      groups: [...parts.flatMap((part) => part.groups), group],
    };
    for (const call of joined.calls) cluster.set(call, joined);
  }
  return { clusters: [...new Set(cluster.values())], leftover };
}

function fits(context: JudgeContext, call: PaidCall, group: readonly ServedRecord[]): boolean {
  return group.some((record) => {
    if (record.model !== call.model || record.created_at === null) return false;
    const createdMs = record.created_at * 1000;
    const lastRead = parseInstant(record.read_at) ?? context.sweep.last_read_ms ?? createdMs;
    if (createdMs < Math.floor((call.started_ms - CLOCK_SLACK_MS) / 1000) * 1000 || createdMs > lastRead)
      return false;
    if (recordDue(call) === 'must') return true;
    const charged = chargedOf(record, context.settings);
    const expected = expectedCharge(context, call, record, bookOf(context, record));
    return charged === null || 'unknown' in expected || charged <= expected.hi;
  });
}
