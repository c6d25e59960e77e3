import type { Finding } from '../../contracts/finding.ts';
import type { PriceBook } from '../../contracts/price-book.ts';
import { formatAmount, type PicoUsd, parseAmount } from '../../core/amount.ts';
import { compareText } from '../../core/compare-text.ts';
import { instantSeconds } from '../../pricebook/charge/in-force.ts';
import { chargeContext } from '../expect/call-facts.ts';
import { exactOf } from '../expect/charge.ts';
import type { JudgeContext } from '../expect/judge-context.ts';
import { evidenceOf } from '../judge/evidence-of.ts';
import { type JudgedSubject, type Judgement, judgedMoney } from '../judge/judgement.ts';
import { makeFinding } from '../judge/make-finding.ts';
import { WARRANTS } from '../judge/warrants.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { signedUsdText } from '../records/sum-amounts.ts';
import { isUnexplained } from './judged-rows.ts';
import { priceOf } from './mismatched-row.ts';
import { roundingOf } from './rounding-of.ts';
import { tieSpan } from './tie-span.ts';

/** The second in which a version begins may be charged by either. */
const GRACE_S = 1;

/**
 * Records that name a version which another had replaced before the call was sent. What is due is the price of the
 * version in force; where the amount is that price, only the name is wrong.
 */
export function judgeVersions(context: JudgeContext, judgements: readonly Judgement[]): readonly Judgement[] {
  if (context.shelf.books.length < 2) return judgements;
  return underGroups(
    judgements.map((judgement) => {
      const { subject } = judgement;
      if (subject === undefined || subject.charge === null) return judgement;
      const stale = staleVersion(context, subject);
      if (stale !== null) return judged(context, judgement, subject, stale) ?? judgement;
      return atChange(context, judgement, subject) ?? judgement;
    }),
  );
}

/** What many records do is told once, above them. */
function underGroups(judgements: readonly Judgement[]): readonly Judgement[] {
  const stale = judgements.flatMap(({ findings }) =>
    findings.filter((finding) => finding.class === 'stale_price_version'),
  );
  const groups = new Map(
    [...Map.groupBy(stale, ({ rule }) => rule)].flatMap(([rule, held]) =>
      held.length > 1 ? [[rule, groupOf(rule, held)] as const] : [],
    ),
  );
  if (groups.size === 0) return judgements;
  return [
    ...judgements.map((judgement) => ({
      ...judgement,
      findings: judgement.findings.map((finding) => {
        const group = finding.class === 'stale_price_version' ? groups.get(finding.rule) : undefined;
        return group === undefined ? finding : { ...finding, group: group.id };
      }),
    })),
    { calls: [], money: [], findings: [...groups.values()] },
  ];
}

const SHOWN_RECORDS = 5;

function groupOf(rule: string, held: readonly Finding[]): Finding {
  const sum = held.reduce((total, { delta_exact }) => total + (parseAmount(delta_exact ?? '') ?? 0n), 0n);
  const named = rule.startsWith('named:');
  const models = new Set(held.map(({ model }) => model));
  const [only] = models;
  return {
    ...makeFinding({
      class: 'stale_price_version',
      rule: `group:${rule}`,
      warrant: WARRANTS.price_books,
      confidence: 'proved',
      ...(named ? { severity: 'S3' as const } : {}),
      delta: sum,
      evidence: held
        .toSorted((left, right) => compareText(left.id, right.id))
        .slice(0, SHOWN_RECORDS)
        .flatMap(({ evidence }) => evidence.filter((each) => /^(record|book):/.test(each))),
      model: models.size === 1 ? (only ?? null) : null,
      explanation: named
        ? `${held.length} records name a version of the price book that was replaced before their call; their amounts are right.`
        : `${held.length} records are priced by a version of the price book that was replaced before their call, ${signedUsdText(sum)} in all.`,
      next_step: named
        ? 'Ask the operator to name the version by which a record is priced.'
        : 'Ask the operator why that version was charged, with both versions of the price book.',
      rows: held.length,
      hypothesis: { name: rule, fit: held.length, of: held.length },
    }),
    bridge: 'none',
  };
}

interface StaleVersion {
  readonly named: PriceBook;
  readonly inForce: PriceBook;
}

function staleVersion(context: JudgeContext, { call, record }: JudgedSubject): StaleVersion | null {
  const named = context.shelf.find(record.pricebook_id, record.pricing_version);
  if (named === null || record.created_at === null) return null;
  const sent = Math.min(call.started_ms / 1000, record.created_at) - GRACE_S;
  if (named.valid_from === null) {
    const instead = context.shelf.replacedBy(named, sent);
    return instead === null ? null : { named, inForce: instead };
  }
  const inForce = context.shelf.books
    .filter(({ valid_from }) => valid_from !== null && instantSeconds(valid_from) <= sent)
    .reduce<PriceBook | null>((last, book) => (isLater(book, last) ? book : last), null);
  if (inForce === null || inForce === named || !isLater(inForce, named)) return null;
  return { named, inForce };
}

/** In the second in which a version begins, its price is right too, whichever version the record names. */
function atChange(context: JudgeContext, judgement: Judgement, subject: JudgedSubject): Judgement | null {
  const { call, record, charge, expectation } = subject;
  if (!judgement.findings.some(isUnexplained) || charge === null || record.created_at === null) return null;
  if ('unknown' in expectation || expectation.facts === null) return null;
  const { facts } = expectation;
  const charged = exactOf(charge);
  const first = Math.min(call.started_ms / 1000, record.created_at) - GRACE_S;
  const last = Math.max(call.ended_ms / 1000, record.created_at) + GRACE_S;
  const beginning = context.shelf.books.filter(({ valid_from }) => {
    const from = valid_from === null ? null : instantSeconds(valid_from);
    return from !== null && from > first && from <= last;
  });
  const by = chargeContext(context, call);
  if (charged === null || !beginning.some((book) => priceOf(book, facts, by)?.rounded === charged))
    return null;
  const [whole, ...surplus] = judgement.money;
  const why = `charged ${signedUsdText(charged)}, the price of a version that began in the second of the call`;
  return {
    ...judgement,
    findings: judgement.findings.filter((finding) => !isUnexplained(finding)),
    calls: judgement.calls.map((line) => ({ ...line, verdict: 'within_bounds', why })),
    money:
      whole === undefined
        ? []
        : [judgedMoney(charge, 'within_bounds', { lo: charged, hi: charged, point: null }), ...surplus],
  };
}

function isLater(book: PriceBook, than: PriceBook | null): boolean {
  if (than?.valid_from == null || book.valid_from === null) return than === null;
  return instantSeconds(book.valid_from) > instantSeconds(than.valid_from);
}

function judged(
  context: JudgeContext,
  judgement: Judgement,
  { call, record, charge, expectation }: JudgedSubject,
  { named, inForce }: StaleVersion,
): Judgement | null {
  const charged = charge === null ? null : exactOf(charge);
  if (charge === null || charged === null || 'unknown' in expectation || expectation.facts === null)
    return null;
  const by = chargeContext(context, call);
  const due = dueBy(context, call, priceOf(inForce, expectation.facts, by), inForce, charged);
  const own = expectation.point;
  if (due === null || own === null || (charged !== own && charged !== due)) return null;
  const rest = judgement.findings.filter((finding) => !isUnexplained(finding));
  const finding = makeFinding({
    class: 'stale_price_version',
    rule: charged === due ? `named:${named.pricing_version}` : `version:${named.pricing_version}`,
    warrant: WARRANTS.price_books,
    confidence: 'proved',
    ...(charged === due ? { severity: 'S3' as const } : {}),
    delta: charged - due,
    evidence: [
      ...evidenceOf(record, call),
      `book:${named.pricing_version}`,
      `book:${inForce.pricing_version}`,
    ],
    request_id: record.request_id,
    call_id: call.call_id,
    model: call.model,
    explanation: explanation(record, named, inForce, charged, due),
    next_step:
      charged === due
        ? 'Ask the operator to name the version by which a record is priced.'
        : 'Ask the operator why that version was charged, with both versions of the price book.',
  });
  const [first, ...surplus] = judgement.money;
  return {
    ...judgement,
    findings: [...rest, finding],
    calls: judgement.calls.map((line) => ({
      ...line,
      expected: formatAmount(due),
      expected_lo: formatAmount(due),
      expected_hi: formatAmount(due),
      verdict: 'finding',
      why: `due ${signedUsdText(due)} by the version in force, charged ${signedUsdText(charged)}; ${finding.class}`,
    })),
    money:
      first === undefined
        ? []
        : [judgedMoney(charge, first.checked, { lo: due, hi: due, point: due }), ...surplus],
  };
}

/** What the version in force asks for: of a tie whose rounding no book tells, what was charged. */
function dueBy(
  { shelf }: JudgeContext,
  { model, kind }: JudgedSubject['call'],
  price: ReturnType<typeof priceOf>,
  inForce: PriceBook,
  charged: PicoUsd,
): PicoUsd | null {
  if (price === null || shelf.trustOf(inForce, model, kind).kind !== 'undeclared')
    return price?.rounded ?? null;
  const { lo, hi } = tieSpan(price, roundingOf(inForce, model));
  return charged === lo || charged === hi ? charged : price.rounded;
}

function explanation(
  record: ServedRecord,
  named: PriceBook,
  inForce: PriceBook,
  charged: PicoUsd,
  due: PicoUsd,
): string {
  const since =
    inForce.valid_from === null
      ? `reads before and after its call served version ${inForce.pricing_version}`
      : `version ${inForce.pricing_version} was in force from ${inForce.valid_from}`;
  const from = named.valid_from === null ? '' : ` (from ${named.valid_from})`;
  return charged === due
    ? `Record ${record.id} names version ${named.pricing_version}, but its amount is that of the version in force: ${since}.`
    : `Record ${record.id} is priced by version ${named.pricing_version}${from}, but ${since}: ${signedUsdText(due)} is due, ${signedUsdText(charged)} is charged.`;
}
