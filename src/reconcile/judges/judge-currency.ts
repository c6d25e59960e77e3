import type { Finding } from '../../contracts/finding.ts';
import type { ReadLine, ReadOddityKind } from '../../contracts/usage-lines.ts';
import { compareText } from '../../core/compare-text.ts';
import type { JudgedSweep } from '../input/judged-sweep.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { isNamedStatus } from '../records/status-role.ts';
import { makeFinding } from './make-finding.ts';
import { evidenceOfRead, instantKey, oddReads } from './read-evidence.ts';

/** Pages of records in another currency than USD: no amount on them counts as USD anywhere. */
export function judgeCurrency({ reads }: JudgedSweep): readonly Finding[] {
  const foreign = reads.filter(
    ({ read, currency }) => read !== 'totals' && currency !== null && currency !== 'USD',
  );
  return [...Map.groupBy(foreign, ({ currency }) => currency ?? '')].map(([currency, pages]) =>
    makeFinding({
      class: 'currency_or_unit_error',
      rule: 'page_currency',
      confidence: 'proved',
      delta: null,
      evidence: [
        `currency:${currency}`,
        ...evidenceOfRead(pages.toSorted((left, right) => compareText(instantKey(left), instantKey(right)))),
      ],
      explanation: `${pages.length === 1 ? 'A page' : `${pages.length} pages`} of records came in ${JSON.stringify(currency)}; usage is documented in USD.`,
      next_step: 'Ask the operator in which currency is billed; the amounts of these pages were not judged.',
    }),
  );
}

const RULES: readonly (readonly [ReadOddityKind, string])[] = [
  ['outside_window', 'A read returned a record that its window excludes'],
  ['edge_record_lost', 'The window that starts with the second of a record left it out'],
  ['seam_differs', 'Two windows that meet do not serve what a read across their seam serves'],
];

/** Windows include their first second and exclude their last one (interface §4); reads at exact seconds show it. */
export function judgeWindow({ reads }: JudgedSweep): readonly Finding[] {
  return RULES.flatMap(([rule, words]) => {
    const odd = oddReads(reads, rule);
    if (odd === null) return [];
    return [
      makeFinding({
        class: 'window_semantics',
        rule,
        confidence: 'proved',
        delta: null,
        evidence: [
          ...evidenceOfRead(odd.reads),
          ...odd.reads
            .slice(0, 5)
            .flatMap(({ window }) => (window === null ? [] : [`window:${window.start}-${window.end}`])),
        ],
        explanation: `${words}: ${odd.text}.`,
        next_step:
          'Ask the operator which seconds a window holds; sums of periods that meet count such records twice or never.',
      }),
    ];
  });
}

const RESULTS: readonly string[] = ['completed', 'failed', 'incomplete', 'cancelled', 'unknown'];

/**
 * One finding a state value that nobody has named (interface §2 shows `completed` and `settled` alone) and that the
 * records do not explain by themselves.
 */
export function judgeStates(records: readonly ServedRecord[]): readonly Finding[] {
  return [
    ...unnamed(
      'result',
      records.filter(({ result }) => !RESULTS.includes(result)),
      ({ result }) => result,
    ),
    ...unnamed(
      'billing_status',
      records.filter(({ role, billing_status: status }) => role === 'unknown' && !isNamedStatus(status)),
      ({ billing_status }) => billing_status,
    ),
  ];
}

function unnamed(
  field: 'result' | 'billing_status',
  records: readonly ServedRecord[],
  stateOf: (record: ServedRecord) => string,
): readonly Finding[] {
  const strange = records.filter(({ malformed }) => !malformed.includes(field));
  return [...Map.groupBy(strange, stateOf).entries()].map(([value, group]) =>
    makeFinding({
      class: 'unknown_status',
      rule: field,
      confidence: 'proved',
      delta: null,
      evidence: [`${field}:${value}`],
      explanation: `${group.length} records have ${field} ${JSON.stringify(value)}, a value whose meaning is not known.`,
      next_step: 'Ask the operator what the value means for the charge.',
    }),
  );
}

/**
 * Filtered reads that returned what the filter excludes. A `request_id` also matches the calls that a funding receipt
 * of this id paid for (interface §4), so only a probe with an id that no request has proves anything about it.
 */
export function judgeFilter({ reads }: JudgedSweep): readonly Finding[] {
  const pages = reads.filter(({ read }) => read === 'records' || read === 'request');
  const probes = pages.filter(({ purpose }) => purpose === 'filter');
  const isFirst = ({ page }: ReadLine): boolean => page === null || page === 1;
  const later = pages.filter((page) => !isFirst(page) && !isWiderFromTheFirst(pages, page));
  return [
    ...stray('model', 'stray_model', pages.filter(isFirst)),
    ...stray('request_id', 'stray_request_id', probes.filter(isFirst)),
    ...stray('lost_with_cursor', 'stray_model', later),
  ];
}

/** The first page of its walk was not filtered either: the cursor lost nothing. */
function isWiderFromTheFirst(pages: readonly ReadLine[], page: ReadLine): boolean {
  return pages.some(
    (first) =>
      first.page === 1 &&
      first.sweep === page.sweep &&
      first.model === page.model &&
      first.purpose === page.purpose &&
      first.oddities.some(({ kind }) => kind === 'stray_model'),
  );
}

function stray(rule: string, kind: ReadOddityKind, pages: readonly ReadLine[]): readonly Finding[] {
  const odd = oddReads(pages, kind);
  if (odd === null) return [];
  const where = rule === 'lost_with_cursor' ? 'A page after the first' : 'A filtered read';
  return [
    makeFinding({
      class: 'filter_mismatch',
      rule,
      confidence: 'proved',
      delta: null,
      evidence: [...evidenceOfRead(odd.reads), ...odd.reads.slice(0, 5).flatMap(filterOf)],
      explanation: `${where} returned records that the filter excludes: ${odd.text}.`,
      next_step:
        'Filter by yourself until the operator has mended it; sums of filtered reads are not to be trusted.',
    }),
  ];
}

function filterOf({ model, request_id }: ReadLine): readonly string[] {
  return [
    ...(model === null ? [] : [`filter:model=${model}`]),
    ...(request_id === null ? [] : [`filter:request_id=${request_id}`]),
  ];
}
