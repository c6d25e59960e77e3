import type { Finding } from '../../src/contracts/finding.ts';
import { type PicoUsd, parseAmount } from '../../src/core/amount.ts';
import { worldOf } from '../../test/support/decidable.ts';
import { type FaultGrade, type FiredFault, gradeOf, nameOf } from '../../test/support/fault-corpus.ts';
import type { JudgedWorld } from './call-world.ts';
import { NOTES } from './notes.ts';
import { slackOf, undecidableUnder } from './undecidable.ts';

/** What became of one planted fault, or of one finding that nothing planted. */
export interface Graded {
  readonly world: string;
  readonly mix: string;
  readonly seed: number;
  readonly class: string;
  /** `beyond`: not decidable; nothing is asked of the auditor. */
  readonly what: 'found' | 'missed' | 'false' | 'beyond';
  /** By the readings; `no` also where an untold rounding hides it. Null of a finding that nothing planted. */
  readonly decidable: 'proved' | 'bounded' | 'no' | null;
  readonly fault: string | null;
  readonly request_id: string | null;
  /** What was expected and what was found in its place. */
  readonly told: string;
}

type Fired = FiredFault & { readonly request_id: string; readonly delta: string };

/** What a fault shows of its call besides its own class, and why that is no false finding. */
const BESIDES: Readonly<Record<string, readonly string[]>> = {
  // The amount is wrong by what the sign makes of it.
  'bill.negative, variant amount': ['amount_mismatch'],
  'bill.negative, variant input_tokens': ['token_mismatch'],
};

/**
 * What is said without a request: of totals, pages or the account, by faults of calls that change those. None of these
 * classes has a fault of its own in a world of calls.
 */
const OF_NO_CALL: Readonly<Record<string, readonly string[]>> = {
  // Totals count what the record's status says.
  unknown_records: ['bill.pending_to_unknown'],
  totals_disagree_records: ['bill.pending_to_unknown'],
  // Charges that are taken back, or put into another account, lower what was consumed.
  account_counter_drift: ['bill.state_regression'],
};

export function gradeWorld({
  plan,
  fired,
  findings,
}: Pick<JudgedWorld, 'plan' | 'fired' | 'findings'>): readonly Graded[] {
  const head = { world: plan.name, mix: plan.mix, seed: plan.seed };
  const slack = slackOf(plan.readings);
  const readings = worldOf(plan.readings, 'run');
  const graded: Graded[] = [];
  const allowed = new Set<string>();
  const open = new Set<string>();
  const byRequest = Map.groupBy(
    findings.filter(({ rows }) => rows === 1),
    ({ request_id }) => request_id,
  );
  for (const line of fired) {
    const grade = gradeOf(line, readings);
    const why = grade.decidable === 'no' ? (grade.why ?? 'by the corpus') : undecidableUnder(plan, line);
    if (why !== null) open.add(line.request_id);
    for (const more of BESIDES[nameOf(grade)] ?? []) allowed.add(`${more} ${line.request_id}`);
    if (grade.class === null) continue;
    allowed.add(`${grade.class} ${line.request_id}`);
    const of = byRequest.get(line.request_id) ?? [];
    const held = of.filter((finding) => finding.class === grade.class);
    const isFound = held.some((finding) => isSame(grade, line.delta, finding, slack));
    graded.push({
      ...head,
      class: grade.class,
      what: why === null ? (isFound ? 'found' : 'missed') : 'beyond',
      decidable:
        why === null && (isBounded(grade) || slack > 0n) ? 'bounded' : why === null ? 'proved' : 'no',
      fault: nameOf(grade),
      request_id: line.request_id,
      told: `${why ?? `${grade.direction} by ${line.delta}`}, found ${JSON.stringify(of.map(shown))}`,
    });
  }
  const faults = new Set(fired.map(({ fault }) => fault));
  for (const finding of findings) {
    const { class: name, request_id, rows } = finding;
    if (NOTES.has(name)) continue;
    if (rows > 1 || open.has(request_id ?? '') || allowed.has(`${name} ${request_id}`)) continue;
    if (request_id === null && OF_NO_CALL[name]?.some((fault) => faults.has(fault)) === true) continue;
    const on = fired.filter((line) => line.request_id === request_id).map((line) => nameOf(gradeOf(line)));
    graded.push({
      ...head,
      class: name,
      what: 'false',
      decidable: null,
      fault: on.length === 0 ? null : on.join(' + '),
      request_id,
      told: JSON.stringify({ ...shown(finding), explanation: finding.explanation }),
    });
  }
  return graded;
}

function isBounded({ decidable }: FaultGrade): boolean {
  return decidable === 'bounded';
}

function shown(finding: Finding): object {
  const { class: name, rule, direction, delta_exact, delta_min, delta_max } = finding;
  return { class: name, rule, direction, delta: delta_exact ?? [delta_min, delta_max] };
}

function isSame(grade: FaultGrade, delta: Fired['delta'], finding: Finding, slack: PicoUsd): boolean {
  // The corpus tells the direction of the usual parameters, the journal that of this very charge.
  const direction = grade.direction === 'none' ? 'none' : delta.startsWith('-') ? 'under' : 'over';
  if (finding.direction !== direction) return false;
  if (direction === 'none') return true;
  if (grade.decidable === 'proved' && slack === 0n) return finding.delta_exact === delta;
  const [least, is, most] = [
    finding.delta_min ?? finding.delta_exact,
    delta,
    finding.delta_max ?? finding.delta_exact,
  ].map((text) => parseAmount(text ?? ''));
  return least != null && is != null && most != null && least - slack <= is && is <= most + slack;
}
