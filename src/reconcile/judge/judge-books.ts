import type { Finding } from '../../contracts/finding.ts';
import type { PriceBook } from '../../contracts/price-book.ts';
import { entriesOf } from '../../pricebook/charge/match-model.ts';
import { chargeOf, chargeText, deltaOf, keptBy, NO_CHARGE, sumCharges } from '../expect/charge.ts';
import { bookOf, type JudgeContext } from '../expect/judge-context.ts';
import { covers } from '../input/judged-sweep.ts';
import { isOneRead } from '../input/regressed-records.ts';
import { isProved } from '../records/completeness-proof.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { evidenceOf } from './evidence-of.ts';
import { makeFinding } from './make-finding.ts';
import { WARRANTS } from './warrants.ts';

/** Findings about the price books themselves: one a book, version or model, never one a record. */
export function judgeBooks(context: JudgeContext, records: readonly ServedRecord[]): readonly Finding[] {
  const { shelf } = context;
  return [
    ...[...shelf.unreadable, ...shelf.doubted].map(({ sha256, reasons }) =>
      makeFinding({
        class: 'price_book_unreadable',
        rule: 'not_read_in_full',
        warrant: WARRANTS.price_book,
        confidence: 'proved',
        delta: null,
        evidence: [`book:${sha256}`],
        explanation: `The price book could not be read in full: ${reasons.join('; ')}.`,
        next_step: 'Give a price book by hand with --pricebook, or ask the operator what these fields mean.',
      }),
    ),
    ...shelf.reused_versions.map(({ pricebook_id, pricing_version }) =>
      makeFinding({
        class: 'price_book_incoherent',
        rule: 'version_reused',
        warrant: WARRANTS.price_books,
        confidence: 'proved',
        delta: null,
        evidence: [`book:${pricebook_id}`, `version:${pricing_version}`],
        explanation: `Different prices were served under ${pricebook_id}, version ${pricing_version}.`,
        next_step: 'Ask the operator which of them holds, and to name each change by a version.',
      }),
    ),
    ...(shelf.latest === null
      ? []
      : [...unknownVersions(context, records), ...unpricedModels(context, records)]),
  ];
}

function unknownVersions(context: JudgeContext, records: readonly ServedRecord[]): readonly Finding[] {
  // What no read of the book ever saw may have come and gone between two of them.
  const unknown = records.filter(
    ({ pricebook_id, pricing_version, created_at }) =>
      context.shelf.find(pricebook_id, pricing_version) === null &&
      created_at !== null &&
      context.shelf.provesVersions(created_at),
  );
  // Words of its own, such as a version with the contract behind it, are no versions of the book.
  const isNamed = records.some(
    ({ pricebook_id, pricing_version }) => context.shelf.find(pricebook_id, pricing_version) !== null,
  );
  const byVersion = Map.groupBy(unknown, (record) =>
    JSON.stringify([record.pricebook_id, record.pricing_version]),
  );
  return [...byVersion.values()].flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    return [
      makeFinding({
        class: 'price_book_incoherent',
        rule: 'unknown_version',
        ...(isNamed ? {} : { severity: 'S4' as const }),
        warrant: WARRANTS.price_book,
        confidence: 'proved',
        delta: null,
        direction: 'none',
        evidence: [`book:${first.pricebook_id}`, `version:${first.pricing_version}`],
        explanation:
          `${group.length} records name ${first.pricebook_id || '(no book)'}, version ${first.pricing_version || '(none)'}, ` +
          `which was never served, as reads every two seconds show: their ${sumText(context, group)} cannot be checked.`,
        next_step: 'Ask the operator for that version of the price book.',
      }),
    ];
  });
}

function unpricedModels(context: JudgeContext, records: readonly ServedRecord[]): readonly Finding[] {
  const unpriced = records.filter((record) => {
    const book = bookOf(context, record);
    const charge = chargeOf(record, context.settings);
    if (book === null || charge === null || charge.hi <= 0n) return false;
    return (
      entriesOf(book, record.asked_model).length === 0 && !isUnsupported(context, book, record.asked_model)
    );
  });
  return [...Map.groupBy(unpriced, ({ model }) => model).entries()].map(([model, group]) =>
    makeFinding({
      class: 'price_book_incoherent',
      rule: 'unpriced_model_charged',
      // A book may leave models out, and a record may name a model otherwise than the book does.
      severity: 'S4',
      warrant: WARRANTS.price_book,
      confidence: 'proved',
      delta: null,
      direction: 'none',
      evidence: [
        `model:${model}`,
        ...new Set(group.map(({ pricing_version }) => `version:${pricing_version}`)),
      ],
      model,
      explanation: `${group.length} records charge ${sumText(context, group)} for ${model}, for which the price book has no price.`,
      next_step: 'Ask the operator for the price of that model.',
    }),
  );
}

/** A price that stands in the book and that we cannot hold is no price that the book lacks. */
function isUnsupported({ shelf }: JudgeContext, book: PriceBook, model: string): boolean {
  const reading = shelf.readingOf(book);
  return reading?.coverage.unsupported.some((each) => each.model === model) === true;
}

function sumText(context: JudgeContext, records: readonly ServedRecord[]): string {
  return chargeText(sumCharges(records.map((record) => chargeOf(record, context.settings))));
}

/**
 * Records that changed after they were final, or that are gone, over all reads. `isOurs` keeps foreign ones out;
 * `explains` holds the keys of those whose change is all that is wrong with the amount of their call.
 */
export function judgeHistory(
  context: JudgeContext,
  isOurs: (record: ServedRecord) => boolean,
  explains: ReadonlySet<string>,
): readonly Finding[] {
  const { sweep } = context;
  const present = new Set(sweep.records.map(({ key }) => key));
  const byKey = Map.groupBy(sweep.versions.filter(isOurs), ({ key }) => key);
  return [...byKey].flatMap(([key, versions]) => {
    const before = context.regressed.get(key);
    const after = before === undefined ? undefined : versions[versions.indexOf(before) + 1];
    const changed =
      before === undefined || after === undefined
        ? []
        : [
            changedFinding(
              context,
              before,
              explains.has(key) ? (versions.at(-1) ?? after) : after,
              explains.has(key),
            ),
          ];
    const last = versions.at(-1);
    if (last === undefined || present.has(last.key) || sweep.complete === null) return changed;
    const isEarlier = last.read_ms < (sweep.began_ms ?? Number.NEGATIVE_INFINITY);
    return isEarlier &&
      last.created_at !== null &&
      covers(sweep, last.created_at) &&
      isProved(sweep.proof, last.created_at)
      ? [...changed, vanishedFinding(context, last)]
      : changed;
  });
}

function changedFinding(
  context: JudgeContext,
  before: ServedRecord,
  after: ServedRecord,
  explains: boolean,
): Finding {
  const then = keptBy(before, context.settings);
  const now = keptBy(after, context.settings);
  return makeFinding({
    class: 'state_regression',
    rule: 'changed_after_settlement',
    warrant: WARRANTS.versions_of_record,
    confidence: 'proved',
    ...(isOneRead(before, after) ? { severity: 'S3' as const } : {}),
    delta: then === null || now === null ? null : deltaOf(now, then),
    evidence: evidenceOf(after, null),
    request_id: after.request_id,
    model: after.model,
    explanation:
      `Record ${after.id} was ${before.billing_status} with amount ${before.amount.text} at ${before.read_at}, ` +
      `and is ${after.billing_status} with amount ${after.amount.text} at ${after.read_at}.`,
    next_step: 'Ask the operator who changed a final record; both versions are kept in usage/records.ndjson.',
    // What is held back again is credit less, however little it exceeds the charge.
    ...(after.role === 'pending' && (after.reserved.lo ?? 0n) > 0n ? { direction: 'over' as const } : {}),
    bridge: explains ? (after.role === 'pending' ? 'held' : 'settled') : 'none',
  });
}

function vanishedFinding(context: JudgeContext, last: ServedRecord): Finding {
  const kept = keptBy(last, context.settings);
  return makeFinding({
    class: 'state_regression',
    rule: 'vanished',
    warrant: WARRANTS.versions_of_record,
    confidence: 'proved',
    // What charged nothing may go, as the record of an attempt inside the target does, and that of a failed call.
    ...(last.result !== 'completed' || (kept?.lo === 0n && kept.hi === 0n)
      ? { severity: 'S4' as const }
      : {}),
    delta: kept === null ? null : deltaOf(NO_CHARGE, kept),
    evidence: evidenceOf(last, null),
    request_id: last.request_id,
    model: last.model,
    explanation: `Record ${last.id} was served at ${last.read_at} and is missing from a later complete read of its time.`,
    next_step: 'Ask the operator where the record went; the version read is kept in usage/records.ndjson.',
    bridge: 'absent',
  });
}
