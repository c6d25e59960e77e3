import { z } from 'zod';
import type { Finding } from './finding.ts';
import { amount, wholeCount } from './scalars.ts';
import type { Shape } from './shape.ts';

/** Says that a known finding is lived with: it is shown and does not gate, up to a sum and until a moment. */
export const acceptedCauseSchema = z.strictObject({
  /** A class, `class:rule`, or the id of a claim. */
  cause: z.string(),
  up_to_usd: z.string(),
  /** First moment at which it holds no more, RFC 3339 UTC or a day. */
  until: z.string(),
  by: z.string(),
  why: z.string(),
});
export type AcceptedCause = Shape<typeof acceptedCauseSchema>;

/** What became of an acceptance in one audit. */
export const acceptedSchema = acceptedCauseSchema.extend({
  /** `expired`, `exceeded`: its findings gate again. `holds` also where it has none. */
  state: z.enum(['holds', 'expired', 'exceeded']),
  /** Findings at or above the gate that it covers. */
  findings: wholeCount,
  /** The most that they come to; null where that of one is not known. */
  usd: amount.nullable(),
});
export type Accepted = Shape<typeof acceptedSchema>;

/** True where the entry of an acceptance names a finding. */
export function isOfCause(cause: string, finding: Parameters<typeof causeOf>[0]): boolean {
  return [finding.class, `${finding.class}:${finding.rule}`, causeOf(finding)].includes(cause);
}

/** Names what findings share: the finding over their group, else class, rule and model. It is the id of their claim. */
export function causeOf({
  group,
  rows,
  id,
  class: named,
  rule,
  model,
}: Pick<Finding, 'group' | 'rows' | 'id' | 'class' | 'rule' | 'model'>): string {
  return group ?? (rows > 1 ? id : [named, rule, ...(model === null ? [] : [model])].join(':'));
}
