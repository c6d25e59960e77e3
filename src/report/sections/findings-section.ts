import type { Finding } from '../../contracts/finding.ts';
import type { ChargeLine, JudgedCall, Reconciliation } from '../../contracts/reconciliation.ts';
import { addDecimal, formatDecimal, normalise, parseDecimal, ZERO } from '../../core/decimal.ts';
import { plural } from '../../text/plural.ts';
import { acceptedWords, overWords } from '../words/accepted-words.ts';
import { ABSENT, signedUsd, usd, usdBounds } from '../words/figure-text.ts';
import { findingTitle } from '../words/finding-title.ts';
import { type Cause, causesOf } from './causes.ts';
import { type Block, fold, type Section, table, text } from './report-document.ts';

/** A page of more would not be read: findings.csv and findings.ndjson have all of them. */
const MOST_CAUSES = 20;
const MOST_ROWS = 200;
const MOST_LINES = 60;

/** What is wrong with the bill, cause by cause, the dearest first; null where nothing is. */
export function findingsSection(reconciliation: Reconciliation): Section | null {
  const { findings, accepted, calls } = reconciliation;
  if (findings.length === 0) return null;
  const causes = causesOf(findings);
  const callOf = callFinder(calls);
  const told = causes.slice(0, MOST_CAUSES);
  const most = Math.max(1, Math.floor(MOST_ROWS / told.length));
  const held = accepted.filter(({ state, findings: count }) => state === 'holds' && count > 0);
  return {
    id: 'findings',
    title: 'Causes, the dearest first',
    blocks: [
      ...accepted.flatMap((each) => overWords(each) ?? []).map(text),
      ...(held.length === 0
        ? []
        : [
            text('The configuration accepts these findings. They do not fail the audit.'),
            { type: 'list', items: held.map(acceptedWords) } as const,
          ]),
      ...(causes.length === 1 ? [] : causesTable(causes)),
      ...told.flatMap((cause, index) => causeBlocks(cause, { number: index + 1, most, callOf })),
      ...(causes.length > told.length
        ? [text(`findings.csv has the other ${plural(causes.length - told.length, 'cause')}.`)]
        : []),
    ],
  };
}

function causesTable(causes: readonly Cause[]): readonly Block[] {
  const shown = causes.slice(0, MOST_LINES);
  return [
    table(
      ['#no.', 'cause', 'class', 'model', '#rows', '#USD', 'severity'],
      shown.map(({ head, rows, sum, provisional }, index) => [
        String(index + 1),
        findingTitle(head),
        head.class,
        head.model ?? ABSENT,
        String(rows),
        signedUsd(sum),
        lines(head.severity, provisional > 0 && `${provisional} provisional`),
      ]),
    ),
    ...(causes.length > shown.length
      ? [text(`The table has ${shown.length} of ${plural(causes.length, 'cause')}; findings.csv has all.`)]
      : []),
  ];
}

type CallOf = (finding: Finding) => JudgedCall | undefined;

/** One cause: what it is, one example with its sum, what to do; its rows stay folded. */
function causeBlocks(
  { head, findings, rows, sum, provisional }: Cause,
  { number, most, callOf }: { readonly number: number; readonly most: number; readonly callOf: CallOf },
): readonly Block[] {
  const [example] = findings;
  if (example === undefined) return [];
  const ids = [...new Set(findings.flatMap(({ request_id }) => request_id ?? []))];
  const shown = findings.slice(0, most);
  const fit = head.hypothesis;
  const amount = sum === null ? deltaText(head) : signedUsd(sum);
  const left = findings.length - shown.length;
  return [
    {
      type: 'heading',
      text: `${number}. ${findingTitle(head)}: ${plural(rows, 'row')}, ${amount}`,
      code: head.class,
    },
    text(head.explanation),
    ...(fit === null ? [] : [text(`Explanation that fits ${fit.fit} of ${fit.of} rows: ${fit.name}.`)]),
    ...(example === head && sumText(callOf(example)) === ''
      ? []
      : [text(`Example: ${exampleText(example, head, callOf)}`)]),
    text(`What to do: ${head.next_step}`),
    ...(provisional === 0
      ? []
      : [text(`${plural(provisional, 'row')} may still change: the time to settle has not passed.`)]),
    fold(`Evidence of ${plural(findings.length, 'row')}`, [
      ...(ids.length === 0
        ? []
        : [
            {
              type: 'copy',
              label: `Copy ${plural(ids.length, 'request id')}`,
              text: ids.join('\n'),
            } as const,
          ]),
      ...(left === 0
        ? []
        : [text(`The ${shown.length} dearest of ${plural(findings.length, 'row')}; findings.csv has all.`)]),
      table(
        ['finding', '#USD', 'model', 'what, and the sum', '@request id', 'evidence'],
        shown.map((finding) => [
          lines(finding.id, finding.severity, finding.confidence, finding.provisional && 'provisional'),
          deltaText(finding),
          finding.model ?? ABSENT,
          lines(finding.explanation, sumText(callOf(finding))),
          finding.request_id ?? ABSENT,
          lines(`rests on ${finding.warrant.of}`, ...finding.evidence, `rule:${finding.rule}`),
        ]),
      ),
    ]),
  ];
}

function exampleText(example: Finding, head: Finding, callOf: CallOf): string {
  const sum = sumText(callOf(example));
  const id = example.request_id ?? example.id;
  const words = example === head ? '' : `${example.explanation} `;
  return `${id}: ${words}${sum}`.trim();
}

function deltaText({ delta_exact, delta_min, delta_max }: Finding): string {
  if (delta_exact !== null) return signedUsd(delta_exact);
  if (delta_min === null && delta_max === null) return ABSENT;
  return `${signedUsd(delta_min)} to ${signedUsd(delta_max)}`;
}

function lines(...parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false && part !== '').join('\n');
}

/** The judged call a finding is about, by its call id or else its request id. */
function callFinder(calls: readonly JudgedCall[]): (finding: Finding) => JudgedCall | undefined {
  const byCall = new Map(calls.flatMap((call) => (call.call_id === null ? [] : [[call.call_id, call]])));
  const byRequest = new Map(
    calls.flatMap((call) => (call.request_id === null ? [] : [[call.request_id, call]])),
  );
  return ({ call_id, request_id }) =>
    (call_id === null ? undefined : byCall.get(call_id)) ??
    (request_id === null ? undefined : byRequest.get(request_id));
}

/** The expected charge term by term, and what was charged instead. */
function sumText(call: JudgedCall | undefined): string {
  if (call === undefined) return '';
  const { expected, expected_lo, expected_hi, charged, lines } = call;
  const due = expected === null ? usdBounds(expected_lo, expected_hi) : usd(expected);
  const terms = lines.map(termText).join(' + ');
  const sum = unroundedSum(lines);
  const rounded = sum === null || sum === expected ? '' : `${usd(sum)}, rounded `;
  return `${terms === '' ? '' : `${terms} = ${rounded}`}${due} expected, ${usd(charged)} charged`;
}

/** Null where a term is no plain decimal. */
function unroundedSum(lines: readonly ChargeLine[]): string | null {
  const terms = lines.map(({ subtotal }) => parseDecimal(subtotal));
  const sum = terms.reduce(
    (left, right) => (left === null || right === null ? null : addDecimal(left, right)),
    ZERO,
  );
  return sum === null ? null : formatDecimal(normalise(sum));
}

function termText({ meter, units, price, per, subtotal }: ChargeLine): string {
  return `${units} ${meter} × ${usd(price)} / ${per} (${usd(subtotal)})`;
}
