import { createHash } from 'node:crypto';
import { formatAmount, type PicoUsd } from '../core/amount.ts';
import {
  type Confidence,
  type Direction,
  type FaultClass,
  SEVERITY_OF,
  type Severity,
} from '../core/fault-class.ts';
import { FINDING_SCHEMA, type Finding } from '../core/finding.ts';

export interface FindingParts {
  readonly class: FaultClass;
  readonly rule: string;
  readonly confidence: Confidence;
  /** Charged minus due; null where only bounds, or nothing, is known. */
  readonly delta: PicoUsd | { readonly min: PicoUsd; readonly max: PicoUsd } | null;
  readonly direction?: Direction;
  readonly severity?: Severity;
  readonly evidence: readonly string[];
  readonly request_id?: string | null;
  readonly call_id?: string | null;
  readonly model?: string | null;
  readonly explanation: string;
  readonly next_step: string;
  readonly provisional?: boolean;
}

/** A finding whose id depends on its class, rule and evidence alone, so that it is the same on every re-run. */
export function makeFinding(parts: FindingParts): Finding {
  const evidence = [...new Set(parts.evidence)].sort();
  const { delta } = parts;
  const exact = typeof delta === 'bigint' ? delta : null;
  const min = delta === null || typeof delta === 'bigint' ? exact : delta.min;
  const max = delta === null || typeof delta === 'bigint' ? exact : delta.max;
  return {
    schema: FINDING_SCHEMA,
    id: createHash('sha256')
      .update([parts.class, parts.rule, ...evidence].join('|'))
      .digest('hex')
      .slice(0, 16),
    class: parts.class,
    severity: parts.severity ?? SEVERITY_OF[parts.class],
    confidence: parts.confidence,
    direction: parts.direction ?? directionOf(min, max),
    delta_exact: textOf(exact),
    delta_min: textOf(min),
    delta_max: textOf(max),
    evidence,
    request_id: parts.request_id ?? null,
    call_id: parts.call_id ?? null,
    model: parts.model ?? null,
    rule: parts.rule,
    explanation: parts.explanation,
    next_step: parts.next_step,
    provisional: parts.provisional ?? false,
  };
}

function directionOf(min: PicoUsd | null, max: PicoUsd | null): Direction {
  if (min !== null && min > 0n) return 'over';
  if (max !== null && max < 0n) return 'under';
  return 'none';
}

function textOf(amount: PicoUsd | null): string | null {
  return amount === null ? null : formatAmount(amount);
}

/** `$0.0012`, with the sign in front. */
export function usd(amount: PicoUsd): string {
  return amount < 0n ? `-$${formatAmount(-amount)}` : `$${formatAmount(amount)}`;
}
