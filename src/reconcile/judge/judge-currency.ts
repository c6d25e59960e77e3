import type { Finding } from '../../contracts/finding.ts';
import type { AccountFigures, ReadLine, ReadOddityKind } from '../../contracts/usage-lines.ts';
import { compareText } from '../../core/compare-text.ts';
import type { JudgedSweep } from '../input/judged-sweep.ts';
import type { ServedRecord } from '../records/served-record.ts';
import { isNamedStatus } from '../records/status-role.ts';
import { makeFinding } from './make-finding.ts';
import { evidenceOfRead, instantKey, oddReads } from './read-evidence.ts';
import { WARRANTS } from './warrants.ts';

/** Pages of records in another currency than USD: no amount on them counts as USD anywhere. */
export function judgeCurrency({ reads }: JudgedSweep): readonly Finding[] {
  const foreign = reads.filter(
    ({ read, currency }) => read !== 'totals' && currency !== null && currency !== 'USD',
  );
  return [...Map.groupBy(foreign, ({ currency }) => currency ?? '')].map(([currency, pages]) =>
    makeFinding({
      class: 'currency_or_unit_error',
      rule: 'page_currency',
      warrant: WARRANTS.usage_in_usd,
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
        warrant: WARRANTS.windows,
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
      warrant: WARRANTS.records,
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
      warrant: WARRANTS.filters,
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

/** A ratio is constant where the largest is at most so many times the smallest. */
const STEADY = 1.5;
/** What does not reach this share of the consumption is noise of reserves that were open. */
const LEAST_SHARE = 0.02;
const LEAST_READS = 3;

interface AccountRead {
  readonly read: ReadLine;
  readonly account: AccountFigures;
}

/**
 * The account's counters, which are in units of their own and are never turned into USD (interface §2): by sign and by
 * ratio alone, so what they show is weak. The number of requests never falls, nor does consumption unless something was
 * given back (`refunds`); and what is consumed leaves
 * the credit, in the same units, so both together stay as they are unless credit is added, which is not proportional
 * to the consumption.
 */
export function judgeAccount(reads: readonly ReadLine[], refunds = false): readonly Finding[] {
  const known = reads
    .flatMap((read) => (read.account === null ? [] : [{ read, account: read.account }]))
    .toSorted((left, right) => compareText(instantKey(left.read), instantKey(right.read)));
  const fell = known.findIndex(({ account }, index) => {
    const before = known[index - 1]?.account;
    return (
      before !== undefined &&
      ((!refunds && account.used_quota < before.used_quota) || account.request_count < before.request_count)
    );
  });
  if (fell > 0) return [fellFinding(known.slice(fell - 1, fell + 1))];
  return [...drift(known)];
}

function fellFinding(pair: readonly AccountRead[]): Finding {
  const [before, after] = pair;
  return finding(
    'counter_fell',
    pair,
    `Between ${before?.read.read_at} and ${after?.read.read_at} used_quota went from ${before?.account.used_quota} to ` +
      `${after?.account.used_quota} and request_count from ${before?.account.request_count} to ` +
      `${after?.account.request_count}: a counter that holds reserves falls when one goes back.`,
  );
}

/** Consumption that leaves more, or less, than itself in the credit, by the same ratio at every read. */
function* drift(known: readonly AccountRead[]): Generator<Finding> {
  const [first] = known;
  if (first === undefined) return;
  const moved = known.flatMap((one) => {
    const used = one.account.used_quota - first.account.used_quota;
    const apart = used + one.account.quota - first.account.quota;
    return used > 0 ? [{ one, used, ratio: apart / used }] : [];
  });
  const steps = moved.filter(({ used }, index) => used > (moved[index - 1]?.used ?? 0));
  const ratios = steps.map(({ ratio }) => Math.abs(ratio));
  const [least, most] = [Math.min(...ratios), Math.max(...ratios)];
  const sign = new Set(steps.map(({ ratio }) => Math.sign(ratio)));
  const grew = (steps.at(-1)?.used ?? 0) >= 2 * (steps[0]?.used ?? 0);
  if (steps.length < LEAST_READS || sign.size !== 1 || !grew) return;
  // Open reserves only lower the credit: without a steady share of the consumption they say nothing.
  if (least < LEAST_SHARE || most > STEADY * least) return;
  const percent = ((steps.at(-1)?.ratio ?? 0) * 100).toFixed(1);
  yield finding(
    'used_and_credit_apart',
    steps.map(({ one }) => one),
    `Over ${steps.length} reads used_quota grew by more or less than the credit fell, each time by about ${percent} % of the growth.`,
  );
}

function finding(rule: string, shown: readonly AccountRead[], explanation: string): Finding {
  return makeFinding({
    class: 'account_counter_drift',
    rule,
    // A counter may hold reserves that go back, and count in a unit other than the credit's.
    severity: 'S4',
    warrant: WARRANTS.account,
    confidence: 'weak',
    delta: null,
    evidence: evidenceOfRead(shown.map(({ read }) => read)),
    explanation,
    next_step:
      'Ask the operator how the counter is kept; it is no measure of USD, and nothing is claimed by it.',
  });
}
