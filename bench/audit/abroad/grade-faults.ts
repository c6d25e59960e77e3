import * as z from 'zod';
import type { FaultClass } from '../../../src/contracts/fault-class.ts';
import type { Finding } from '../../../src/contracts/finding.ts';
import type { JudgedCall, Reconciliation } from '../../../src/contracts/reconciliation.ts';
import { type PicoUsd, parseAmount } from '../../../src/core/amount.ts';
import type { Readings } from '../../../src/gateway/readings/readings.ts';
import { isOneModel } from '../../../src/reconcile/records/asked-model.ts';
import {
  DECIDABLE,
  decidableIn,
  isNameless,
  type Manner,
  type Untold,
  worldOf,
} from '../../../test/support/decidable.ts';
import { gradeOf, nameOf } from '../../../test/support/fault-corpus.ts';
import type { JudgedWorld } from '../call-world.ts';
import { slackOf, undecidableUnder } from '../undecidable.ts';

/** What the documents ask of an auditor about one planted fault, and what it said. */
export interface GradedFault {
  readonly fault: string;
  readonly request_id: string;
  /** 10⁻¹² USD, without its sign. */
  readonly wrong_by: PicoUsd;
  readonly what: 'found' | 'missed' | 'wide' | 'beyond';
  readonly told: string;
}

type World = Pick<JudgedWorld, 'plan' | 'fired' | 'ended'>;

/** Which audit it is, and what nobody declared to it. */
export interface Audited {
  readonly manner: Manner;
  readonly untold: readonly Untold[];
}

/** Faults of the line and late records are no wrong bill. */
const HONEST_FAULTS: ReadonlySet<string> = new Set([
  'bill.late_record',
  'bill.late_refund',
  'sem.task_failed_200',
]);

export function isOfBill(fault: string): boolean {
  return !HONEST_FAULTS.has(fault) && (fault.startsWith('bill.') || fault.startsWith('sem.'));
}

export function gradedFaults(
  { plan, fired, ended }: World,
  { manner, untold }: Audited,
  byRequest: ReadonlyMap<string, readonly Finding[]>,
  { calls }: Pick<Reconciliation, 'calls'>,
): readonly GradedFault[] {
  const slack = slackOf(plan.readings);
  const conditions = worldOf(plan.readings, manner, untold);
  const nameless = isNameless(plan.readings, manner);
  // Without prices a call is named, and its sum stays untold.
  const isUnpriced = plan.readings.missing === 'pricebook';
  // Records of tasks may go by the id of the task, which the journal does not name.
  const isOfTask = plan.readings.task_request_id === 'task';
  return fired.flatMap((line): readonly GradedFault[] => {
    const call = calls.find(({ request_id }) => request_id === line.request_id);
    // A call that no record names is known by the journal alone.
    const { model = call?.model } = ended.find(({ request_id }) => request_id === line.request_id) ?? {};
    const world = new Set([...conditions, ...aboutCall(call, model, calls)]);
    const grade = gradeOf(line, world);
    if (grade.class === null || !isOfBill(line.fault)) return [];
    if (!DECIDABLE.some(({ fault }) => fault === nameOf(grade))) return [];
    // Where answers tell no id it stays open which of two like records is whose.
    const own = nameless ? undefined : byRequest.get(line.request_id);
    const of = own ?? (nameless || isOfTask ? [...byRequest.values()].flat() : []);
    const delta = parseAmount(line.delta) ?? 0n;
    const head = {
      fault: nameOf(grade),
      request_id: line.request_id,
      wrong_by: delta < 0n ? -delta : delta,
      told: `${grade.class} ${grade.direction} ${line.delta}, ${grade.decidable}: ${JSON.stringify(of.map(shown))}`,
    };
    const isHidden = undecidableUnder({ ...plan, honest: null }, line) !== null;
    const isIdle = delta === 0n && grade.direction !== 'none';
    if (grade.decidable === 'no' || isHidden || isIdle) return [{ ...head, what: 'beyond' }];
    const classes = [grade.class, ...alike(plan.readings, nameless, grade.class)];
    const held = of.filter(
      (finding) =>
        classes.includes(finding.class) && (isUnpriced || pointsTo(finding, grade.direction, delta)),
    );
    if (held.length === 0) return [{ ...head, what: 'missed' }];
    if (grade.direction === 'none' || isUnpriced) return [{ ...head, what: 'found' }];
    // Without ids one finding tells of all calls that fit its records.
    if (
      (nameless || own === undefined) &&
      held.some(({ delta_max }) => (parseAmount(delta_max ?? '') ?? delta) >= delta)
    )
      return [{ ...head, what: 'found' }];
    const width = grade.decidable === 'proved' ? slack * 2n : widthOf(head.fault, world, call, slack);
    const isFound = held.some((finding) =>
      isSumless(finding) ? width === null : holds(finding, delta, slack, width),
    );
    return [{ ...head, what: isFound ? 'found' : 'wide' }];
  });
}

/** What of one call lets less be told of it; `asked` is its model. */
function aboutCall(
  call: JudgedCall | undefined,
  asked: string | null | undefined,
  calls: readonly JudgedCall[],
): readonly Untold[] {
  const isEnded = ({ outcome }: JudgedCall): boolean => (outcome ?? 'ok') === 'ok';
  const told: readonly (readonly [Untold, boolean])[] = [
    ['call=failed', call !== undefined && !isEnded(call)],
    ['call=crowded', calls.some((other) => other.model === asked && !isEnded(other))],
    ['call=name_unasked', !calls.some(({ model }) => isOneModel(model ?? '', call?.record?.model ?? ''))],
    ['call=usage_untold', (call?.row?.usage ?? null) === null],
    ['call=reasoning_untold', (call?.row?.usage?.reasoning ?? null) === null],
    ['call=total_untold', totalOf(call) === null],
  ];
  return told.flatMap(([name, holds]) => (holds ? [name] : []));
}

/** All tokens of a call in one figure, where its answer tells them so. */
function totalOf(call: JudgedCall | undefined): number | null {
  const { total_tokens: total } = usageObject.parse(call?.row?.usage?.raw ?? {});
  return total ?? null;
}

const usageObject = z.looseObject({ total_tokens: z.number().optional() });

function pointsTo({ direction }: Finding, named: string, delta: PicoUsd): boolean {
  return direction === (named === 'none' ? 'none' : delta < 0n ? 'under' : 'over');
}

/** Classes that come to the same sum where one price is a multiple of another, or a charge rounds to nothing. */
const SAME_SUM: Readonly<Record<string, readonly FaultClass[]>> = {
  wrong_model_price: ['group_ratio_wrong'],
  video_units_wrong: ['amount_mismatch'],
  // A hundred times a least amount is a hundred reserves of it.
  currency_or_unit_error: ['uncharged_success', 'group_ratio_wrong', 'settle_above_reserve'],
  minimum_charge_unexpected: ['currency_or_unit_error'],
  // One least amount in place of nothing.
  amount_mismatch: ['rounding_bias'],
};

/** Classes under which a fault shows, too, where the readings, or two prices of one sum, leave open which it is. */
function alike(readings: Readings, nameless: boolean, named: string): readonly FaultClass[] {
  const same = SAME_SUM[named] ?? [];
  const counted: readonly FaultClass[] = nameless
    ? ['phantom_record', 'amount_mismatch', 'unrecorded_request']
    : [];
  const second: readonly FaultClass[] =
    readings.call_records === 'reserve_and_settlement' ? ['duplicate_charge'] : [];
  // A charge by parts of tiers is a factor of the due one, and calls of one size are charged by one factor: without ids
  // no answer tells which record another of its size would have.
  const factored: readonly FaultClass[] =
    nameless && named === 'tier_not_applied' ? ['group_ratio_wrong'] : [];
  return [...same, ...counted, ...second, ...factored];
}

/** Twice the bound of the table, 10⁻¹² USD; null where the evidence of this audit does not give it. */
function widthOf(
  fault: string,
  conditions: ReadonlySet<string>,
  call: JudgedCall | undefined,
  slack: PicoUsd,
): PicoUsd | null {
  const amount = (text: string | undefined | null): PicoUsd | null => {
    const value = parseAmount(text ?? '');
    return value === null ? null : value * 2n + slack * 2n;
  };
  switch (decidableIn(fault, conditions).bound_usd) {
    case 'quantum':
      return slack * 2n;
    case 'charge':
      return amount(call?.charged);
    case 'reserve':
      return amount(call?.record?.reserved.text);
    default:
      return null;
  }
}

function holds(finding: Finding, delta: PicoUsd, slack: PicoUsd, width: PicoUsd | null): boolean {
  const [least, most] = [
    parseAmount(finding.delta_min ?? finding.delta_exact ?? ''),
    parseAmount(finding.delta_max ?? finding.delta_exact ?? ''),
  ];
  if (least === null || most === null) return false;
  const isInside = least - slack <= delta && delta <= most + slack;
  return isInside && (width === null || most - least <= width);
}

/** Names the call; what it comes to stays open. */
function isSumless({ delta_exact, delta_min, delta_max }: Finding): boolean {
  return (delta_exact ?? delta_min ?? delta_max) === null;
}

function shown({ class: name, rule, direction, delta_exact, delta_min, delta_max }: Finding): object {
  return { class: name, rule, direction, delta: delta_exact ?? [delta_min, delta_max] };
}
