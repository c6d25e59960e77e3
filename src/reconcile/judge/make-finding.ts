import { hash } from 'node:crypto';
import {
  type Confidence,
  type Direction,
  type FaultClass,
  SEVERITY_OF,
  type Severity,
} from '../../contracts/fault-class.ts';
import { FINDING_SCHEMA, type Finding, type FittedHypothesis } from '../../contracts/finding.ts';
import type { Warrant } from '../../contracts/warrant.ts';
import { formatAmount, type PicoUsd } from '../../core/amount.ts';

export interface FindingParts {
  readonly class: FaultClass;
  readonly rule: string;
  readonly confidence: Confidence;
  readonly warrant: Warrant;
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
  /** RFC 3339 UTC. */
  readonly deadline_at?: string | null;
  readonly bridge?: Finding['bridge'];
  readonly rows?: number;
  readonly hypothesis?: FittedHypothesis | null;
}

function idOf(faultClass: FaultClass, rule: string, evidence: readonly string[]): string {
  const text = [faultClass, rule, ...evidence].join('|');
  return hash('sha256', text, 'hex').slice(0, 16);
}

/**
 * The findings with an id each: of several with the same evidence, as records without any id of their own give, the
 * later ones name which copy they are about.
 */
export function distinct(findings: readonly Finding[]): readonly Finding[] {
  const seen = new Map<string, number>();
  return findings.map((finding) => {
    const copy = (seen.get(finding.id) ?? 0) + 1;
    seen.set(finding.id, copy);
    if (copy === 1) return finding;
    const evidence = [...finding.evidence, `copy:${copy}`].sort();
    return { ...finding, evidence, id: idOf(finding.class, finding.rule, evidence) };
  });
}

/** A finding whose id depends on its class, rule and evidence alone, so that it is the same on every re-run. */
export function makeFinding(parts: FindingParts): Finding {
  const evidence = [...new Set(parts.evidence)].sort();
  const { delta } = parts;
  const exact = typeof delta === 'bigint' ? delta : null;
  const min = delta === null || typeof delta === 'bigint' ? exact : delta.min;
  const max = delta === null || typeof delta === 'bigint' ? exact : delta.max;
  const direction = parts.direction ?? directionOf(min, max);
  return {
    schema: FINDING_SCHEMA,
    id: idOf(parts.class, parts.rule, evidence),
    class: parts.class,
    ...asWarranted(parts),
    warrant: parts.warrant,
    direction,
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
    deadline_at: parts.deadline_at ?? null,
    bridge: parts.bridge ?? bridgeOf(parts.class, direction),
    group: null,
    rows: parts.rows ?? 1,
    hypothesis: parts.hypothesis ?? null,
    first_seen: null,
  };
}

/** An exception to a habit is no more than bounded, and never grave. */
function asWarranted({
  class: of,
  confidence,
  severity = SEVERITY_OF[of],
  warrant,
}: FindingParts): Pick<Finding, 'severity' | 'confidence'> {
  if (warrant.kind !== 'habit') return { severity, confidence };
  return {
    severity: severity === 'S4' ? 'S4' : 'S3',
    confidence: confidence === 'weak' ? 'weak' : 'bounded',
  };
}

/** A regression is explained by the amount that its call has now, so it explains no sum of its own. */
function bridgeOf(faultClass: FaultClass, direction: Direction): Finding['bridge'] {
  if (direction === 'none' || faultClass === 'state_regression') return 'none';
  if (faultClass === 'reservation_leak') return 'held';
  return faultClass === 'unrecorded_request' ? 'absent' : 'settled';
}

function directionOf(min: PicoUsd | null, max: PicoUsd | null): Direction {
  if (min !== null && min > 0n) return 'over';
  if (max !== null && max < 0n) return 'under';
  return 'none';
}

function textOf(amount: PicoUsd | null): string | null {
  return amount === null ? null : formatAmount(amount);
}
