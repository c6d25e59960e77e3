import { declaredIn } from '../../../contracts/billing-terms.ts';
import { type CoverageSetting, shownSetting } from '../../../contracts/coverage-result.ts';
import type { Rounding } from '../../../contracts/price-book.ts';
import type { JudgeContext } from '../../expect/judge-context.ts';
import { acceptedCalls } from '../../records/accepted-sums.ts';
import type { KeptInput } from './kept-input.ts';

/** Where the book does not tell the whole rule: which rounding the charges of its prices show. */
export function keptRounding({ shelf }: JudgeContext, setting: CoverageSetting): CoverageSetting {
  const { latest } = shelf;
  if (latest === null || !/^undeclared$|^to multiples of /.test(setting.value)) return setting;
  const found = new Set(
    latest.models.flatMap((entry) => (entry.rounding === null ? [] : wordsOf(entry.rounding))),
  );
  if (found.size === 0) return setting;
  return {
    ...setting,
    basis: 'records',
    evidence: `${setting.evidence}; charges show ${[...found].sort().join(', ')}`,
  };
}

function wordsOf({ mode, quantum }: Rounding): string {
  return `${mode} to ${quantum} USD`;
}

/** By which of several books a record is priced. */
export function keptEdition({ context, matched }: KeptInput): readonly CoverageSetting[] {
  const { shelf } = context;
  if (shelf.latest === null) return [];
  const { records } = matched.sweep;
  const accepted = acceptedCalls(matched.accepted);
  const isIdentified = shelf.readingOf(shelf.latest)?.identified === true;
  const named = records.filter(
    ({ pricebook_id, pricing_version }) => shelf.find(pricebook_id, pricing_version) !== null,
  );
  const [first] = named;
  return [
    shownSetting({
      name: 'price_edition',
      value: isIdentified ? 'the version that the record names' : 'the list that was served at its moment',
      basis: isIdentified ? 'records' : 'assumed',
      evidence: isIdentified
        ? `${named.length + accepted} of ${records.length + accepted} records name one of the ${shelf.books.length} versions that were served`
        : `the price list names no version; ${shelf.books.length} contents of it were served`,
      example: isIdentified && first !== undefined ? `record:${first.id}` : null,
      changes: shelf.books.length === 1 ? '0' : null,
    }),
  ];
}

/** What stands over the list price. */
export function keptFactors({ context }: KeptInput): readonly CoverageSetting[] {
  const { shelf, terms } = context;
  if (shelf.latest === null) return [];
  const { adjustments } = shelf.latest;
  const agreed = terms.agreed.some(({ factor }) => factor !== null) || terms.group !== null;
  return [
    shownSetting({
      name: 'factor',
      value:
        adjustments.length === 0
          ? 'none'
          : adjustments
              .slice(0, MOST_FACTORS)
              .map(({ name, factor }) => `${name} × ${factor}`)
              .join(', '),
      basis: agreed ? 'declared' : adjustments.length > 0 ? 'book' : 'assumed',
      evidence: agreed
        ? 'declared in billing.agreed or billing.group'
        : `the price book tells ${adjustments.length} factors`,
    }),
  ];
}

const MOST_FACTORS = 3;

/** Whether reasoning is a part of the output, or stands beside it. */
export function keptReasoning({ context, matched }: KeptInput): readonly CoverageSetting[] {
  const { shelf, terms } = context;
  if (shelf.latest === null) return [];
  const declared = terms.readings.output_tokens;
  const { output_includes_reasoning: told } = shelf.latest.usage_semantics;
  const reasoned = matched.calls.filter(({ row }) => (row?.usage?.reasoning ?? 0) > 0).length;
  const isOpen = declared === 'auto' && told === 'unknown';
  return [
    shownSetting({
      name: 'output_includes_reasoning',
      value: told === 'no' ? 'no' : 'yes',
      basis: declared !== 'auto' ? 'declared' : isOpen ? 'assumed' : 'book',
      evidence:
        declared !== 'auto'
          ? `declared in ${declaredIn(terms, 'readings', 'output_tokens')}`
          : isOpen
            ? 'by default: the price book does not tell'
            : 'told by the price book',
      also: isOpen ? ['no'] : [],
      changes: reasoned === 0 && acceptedCalls(matched.accepted) === 0 ? '0' : null,
    }),
  ];
}
