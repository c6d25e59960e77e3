import { WITHOUT_A_LOG } from '../../contracts/coverage-result.ts';
import type { PriceBook } from '../../contracts/price-book.ts';
import type { ChargeLine, PriceGrade } from '../../contracts/reconciliation.ts';
import type { PicoUsd } from '../../core/amount.ts';
import { type PaidKind, TEXT_KINDS, TOKEN_KINDS } from '../../core/call-kind.ts';
import type { Rational } from '../../core/rational.ts';
import type { ChargeFacts } from '../../pricebook/charge/charge-facts.ts';
import type { Charge } from '../../pricebook/charge/charge-result.ts';
import { evaluateCharge } from '../../pricebook/charge/evaluate-charge.ts';
import { entriesOf, pricesEndpoint } from '../../pricebook/charge/match-model.ts';
import { needsUnrecordedFacts } from '../../pricebook/charge/unrecorded-facts.ts';
import { WIDEST_ROUNDING } from '../../pricebook/infer/infer-rounding.ts';
import {
  type CellTrust,
  isFigure,
  unlikeText,
  unprovedText,
  withinTrust,
  withinUnit,
} from '../books/book-trust.ts';
import { isRecordCall } from '../match/record-calls.ts';
import type { PaidCall } from '../records/paid-call.ts';
import { type RecordDue, recordDue } from '../records/record-due.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { chargeContext, factsOf, recordTokens, upstreamOf } from './call-facts.ts';
import { chargeOf, overlaps } from './charge.ts';
import { HIDDEN, isMadeOfHidden } from './hidden-tokens.ts';
import type { JudgeContext } from './judge-context.ts';
import { ofModel } from './of-model.ts';
import { type FreeReason, freeReason, underPolicy } from './policy.ts';
import { ANY_CHARGE, type UntoldCharge, untoldCharge } from './untold-charge.ts';

/** What a call should cost by the client's own evidence. */
export interface Expected {
  readonly lo: PicoUsd;
  readonly hi: PicoUsd;
  /** No charge at all is right too. */
  readonly zero_allowed: boolean;
  /** The one right charge; null where only bounds are known. */
  readonly point: PicoUsd | null;
  readonly lines: readonly ChargeLine[];
  /** Null where the charge is 0 whatever the book says. */
  readonly facts: ChargeFacts | null;
  /** Why nothing is due, where the call by itself would leave that open. */
  readonly free?: FreeReason;
  /** How the price is known, its tier and the charge before its last rounding; absent where no price was asked. */
  readonly grade?: PriceGrade;
  readonly tier?: string | null;
  readonly exact?: Rational | null;
  /** The gateway behind the target counted what the client could not: where both ends meet, the charge is known. */
  readonly upstream?: true;
}

export type Expectation = Expected | UnknownCharge;

interface UnknownCharge {
  /** Why. */
  readonly unknown: string;
  readonly unpriced_model: boolean;
  /** What may be due, where a log of the calls would tell what is; records alone never do. */
  readonly untold?: UntoldCharge;
}

export function expectedCharge(
  context: JudgeContext,
  call: PaidCall,
  record: ServedRecord | null,
  book: PriceBook | null,
): Expectation {
  const due = recordDue(call);
  if (due === 'free' || due === 'never') {
    return { lo: 0n, hi: 0n, zero_allowed: true, point: 0n, lines: [], facts: null };
  }
  const free = freeReason(context, call);
  if (free !== null) return { lo: 0n, hi: 0n, zero_allowed: true, point: 0n, lines: [], facts: null, free };
  if (isCreditAlone(call, record))
    return { unknown: 'it is a credit, and nothing tells whose charge it lowers', unpriced_model: false };
  if (book === null) return { unknown: noBookText(context, record), unpriced_model: false };
  const facts = factsOf(context, call, record, book);
  if (facts === null) return { unknown: 'the size of its prompt is not known', unpriced_model: false };
  const trust = context.shelf.trustOf(book, call.model, call.kind);
  const by = chargeContext(context, call);
  const untold = isRecordCall(call.call_id)
    ? untoldCharge(book, facts, by, (each) => withinTrust(trust, each))
    : null;
  if (untold !== null && !call.text) return untoldUnits(call, trust, untold);
  const charge = evaluateCharge(book, facts, by);
  if ('unpriced' in charge) {
    return isRecordCall(call.call_id) && facts.tools === null && charge.why === 'units'
      ? { unknown: `${WITHOUT_A_LOG}: ${charge.unpriced}`, unpriced_model: false, untold: ANY_CHARGE }
      : { unknown: charge.unpriced, unpriced_model: entriesOf(book, call.model).length === 0 };
  }
  if (untold !== null && isPossible(context, record, untold)) return ofAnyTier(charge, due, untold);
  const { lo, hi } = withinShown(context, record, trust, withinTrust(trust, charge));
  if (isRecordCall(call.call_id) && isMadeOfHidden(context, book, { call, record, facts, lo, hi }))
    return { unknown: HIDDEN, unpriced_model: false };
  const doubt = doubtOf(trust, call, record);
  const slack = context.shelf.readingOf(book)?.rounding_declared === false ? WIDEST_ROUNDING : 0n;
  if (doubt !== null && !isBorneOut(context, record, { lo: lo - slack, hi: hi + slack }))
    return { unknown: doubt, unpriced_model: false };
  const whole = due === 'must' || isMadeAndCharged(context, call, record);
  const certain = whole && doubt === null;
  return underPolicy(context, call, {
    lo,
    hi,
    zero_allowed: due !== 'must',
    point: certain && lo === hi ? lo : null,
    lines: charge.lines,
    facts,
    grade: charge.grade,
    tier: charge.tier,
    exact: charge.exact,
    ...(upstreamOf(context, call) === null ? {} : { upstream: true as const }),
  });
}

/** Why a price may bear a charge out and accuses none; null where it is the price for certain. */
function doubtOf(trust: CellTrust, call: PaidCall, record: ServedRecord | null): string | null {
  if (trust.kind === 'inferred') return unlikeText(trust);
  if (trust.kind === 'unproved') return unprovedText(trust);
  if (isRecordCall(call.call_id) && record?.usage_estimated === true)
    return 'the record calls its own counts an estimate';
  return isRecordCall(call.call_id) && record !== null && record.model !== call.model
    ? `the record names ${record.model}, which may have another price than ${call.model}`
    : null;
}

/** Less than nothing is charged by records alone: whatever was bought, no price is due of it. */
function isCreditAlone({ call_id }: PaidCall, record: ServedRecord | null): boolean {
  return isRecordCall(call_id) && (record?.amount.exact ?? 0n) < 0n;
}

/** A record counts neither images nor seconds: its charge may be any number of them at any price line. */
function untoldUnits(call: PaidCall, trust: CellTrust, untold: UntoldCharge): UnknownCharge {
  const what =
    call.kind === 'video'
      ? 'neither seconds nor resolution of a video'
      : 'neither number, size nor quality of images';
  const told = trust.kind === 'full' || trust.kind === 'undeclared';
  return {
    unknown: `${WITHOUT_A_LOG}: a record tells ${what}`,
    unpriced_model: false,
    // A book that is not trusted bounds no charge; of a task that never ended well, any part may be due.
    untold: told && recordDue(call) === 'must' ? untold : ANY_CHARGE,
  };
}

/** A record does not name its tier of service: the price of each may be right. */
function ofAnyTier(charge: Charge, due: RecordDue, { lo, hi }: UntoldCharge): Expected {
  return {
    ...{ lo, hi: hi ?? charge.hi, zero_allowed: due !== 'must', point: null },
    ...{ lines: [], facts: null, grade: charge.grade },
  };
}

function isPossible({ settings }: JudgeContext, record: ServedRecord | null, untold: UntoldCharge): boolean {
  const charge = record === null ? null : chargeOf(record, settings);
  return charge !== null && untold.isPossible(charge);
}

/** What could not be downloaded was made: whoever charges it charges its price, and who does not charges nothing. */
function isMadeAndCharged({ settings }: JudgeContext, call: PaidCall, record: ServedRecord | null): boolean {
  const charge = record === null ? null : chargeOf(record, settings);
  return call.row?.error_type === 'download_failed' && charge !== null && charge.hi > 0n;
}

function noBookText({ shelf }: JudgeContext, record: ServedRecord | null): string {
  const isKept = record !== null && shelf.find(record.pricebook_id, record.pricing_version) !== null;
  return isKept
    ? 'the prices changed between two reads of the book, and no read tells which were in force'
    : 'the price book of its pricing version was not archived';
}

/**
 * A rounding that the charges alone show may have a least charge beside it, or hold for each line: a charge that is
 * off by a unit of it accuses nobody.
 */
function withinShown(
  context: JudgeContext,
  record: ServedRecord | null,
  trust: CellTrust,
  due: Pick<Expected, 'lo' | 'hi'>,
): Pick<Expected, 'lo' | 'hi'> {
  if (trust.kind !== 'undeclared' || isBorneOut(context, record, due)) return due;
  const widened = withinUnit(trust.unit, due);
  return isBorneOut(context, record, widened) ? widened : due;
}

function isBorneOut(
  { settings }: JudgeContext,
  record: ServedRecord | null,
  bounds: Pick<Expected, 'lo' | 'hi'>,
): boolean {
  const charge = record?.role === 'settled' ? chargeOf(record, settings) : null;
  return charge !== null && overlaps(charge, bounds);
}

/** Charge of a text record by its own token counts; null where it cannot be priced. */
export function chargeOfRecordTokens(
  context: JudgeContext,
  record: ServedRecord,
  model: string,
  book: PriceBook,
): PicoUsd | null {
  const facts = recordTokens(context.settings, record);
  if (facts === null) return null;
  // What it counts as input has then no one meaning.
  if (context.settings.input_open && (record.cache_read ?? 0n) + (record.cache_write ?? 0n) > 0n) return null;
  const { untold, kinds } = recordPricing(book, model);
  // What the record does not tell may have cost more.
  if (untold) return null;
  // An amount that nothing is known to round is no figure to compare with.
  const trusts = kinds.map((kind) => context.shelf.trustOf(book, model, kind));
  if (!trusts.every(isFigure)) return null;
  let amount: PicoUsd | null | undefined;
  for (const kind of kinds) {
    const charge = evaluateCharge(book, facts, chargeContext(context, { model, kind, row: null }));
    const rounded = 'unpriced' in charge ? null : charge.rounded;
    if (rounded === null || (amount !== undefined && rounded !== amount)) return null;
    amount = rounded;
  }
  const due = amount === undefined || amount === null ? null : { lo: amount, hi: amount };
  const isShown = due === null || trusts.every((trust) => withinShown(context, record, trust, due) === due);
  return isShown ? (amount ?? null) : null;
}

interface RecordPricing {
  readonly untold: boolean;
  /**
   * A record does not name its endpoint: its charge is known where all kinds that price the model agree on it. Kinds
   * that the book does not tell apart are one.
   */
  readonly kinds: readonly PaidKind[];
}

const recordPricings = new WeakMap<PriceBook, Map<string, RecordPricing>>();

function recordPricing(book: PriceBook, model: string): RecordPricing {
  return ofModel(recordPricings, book, model, () => {
    const entries = entriesOf(book, model);
    const priced = (kind: PaidKind): boolean => entries.some((entry) => pricesEndpoint(entry, kind));
    const talks = TEXT_KINDS.filter(priced);
    const kinds = talks.length > 0 ? talks : TOKEN_KINDS.filter(priced);
    return { untold: needsUnrecordedFacts(book, model), kinds };
  });
}
