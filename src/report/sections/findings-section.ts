import { TITLE_OF } from '../../contracts/fault-class.ts';
import type { Finding } from '../../contracts/finding.ts';
import type { ChargeLine, JudgedCall, Reconciliation } from '../../contracts/reconciliation.ts';
import { compareText } from '../../core/compare-text.ts';
import { addDecimal, formatDecimal, normalise, parseDecimal, ZERO } from '../../core/decimal.ts';
import { plural } from '../../text/plural.ts';
import { acceptedWords, overWords } from '../words/accepted-words.ts';
import { ABSENT, signedUsd, usd, usdBounds } from '../words/figure-text.ts';
import { type Block, fold, type Section, table, text } from './report-document.ts';

/** A page of more would not be read: findings.csv and findings.ndjson hold all of them. */
const MOST_SHOWN = 200;

export function findingsSection(reconciliation: Reconciliation): Section {
  const { findings, groups, accepted } = reconciliation;
  if (findings.length === 0) {
    return { id: 'findings', title: 'Findings', blocks: [text('None.')] };
  }
  // Graver first; equal ones keep the reconciler's order (sort is stable).
  const shown = findings
    .toSorted((left, right) => compareText(left.severity, right.severity))
    .slice(0, MOST_SHOWN);
  const over = accepted.flatMap((each) => overWords(each) ?? []);
  const held = accepted.filter(({ state, findings: count }) => state === 'holds' && count > 0);
  const blocks: Block[] = [
    ...over.map(text),
    ...(held.length === 0
      ? []
      : [
          text('Accepted in the configuration: shown, and not counted at the gate.'),
          { type: 'list', items: held.map(acceptedWords) } as const,
        ]),
    table(
      ['class', 'severity', '#rows', '#causes', '#provisional', '#sum', 'gate'],
      groups.map(({ class: name, severity, rows, causes, provisional, delta, gates }) => [
        `${TITLE_OF[name]}\n${name}`,
        severity,
        String(rows),
        String(causes),
        String(provisional),
        signedUsd(delta),
        gates ? 'at or above' : 'below',
      ]),
    ),
  ];
  if (findings.length > shown.length) {
    blocks.push(
      text(`The ${shown.length} gravest of ${plural(findings.length, 'finding')}; findings.csv has all.`),
    );
  }
  const callOf = callFinder(reconciliation.calls);
  const byClass = Map.groupBy(shown, ({ class: name, severity }) => `${severity} ${name}`);
  let first = true;
  for (const of of byClass.values()) {
    blocks.push(groupFold(of, callOf, first));
    first = false;
  }
  return { id: 'findings', title: 'Findings', blocks };
}

/** One class with its evidence; the gravest stands open. */
function groupFold(
  findings: readonly Finding[],
  callOf: (finding: Finding) => JudgedCall | undefined,
  open: boolean,
): Block {
  const [any] = findings;
  const title = any === undefined ? '' : `${TITLE_OF[any.class]} (${any.class}, ${any.severity})`;
  const ids = [...new Set(findings.flatMap(({ request_id }) => request_id ?? []))];
  const rows = findings.map((finding) => [
    lines(finding.id, finding.confidence, finding.provisional && 'provisional'),
    deltaText(finding),
    finding.model ?? ABSENT,
    lines(finding.explanation, sumText(callOf(finding)), finding.next_step),
    finding.request_id ?? ABSENT,
    lines(`rests on ${finding.warrant.of}`, ...finding.evidence, `rule:${finding.rule}`),
  ]);
  return fold(
    `${title}: ${plural(findings.length, 'finding')}`,
    [
      ...(ids.length === 0
        ? []
        : [
            {
              type: 'copy',
              label: `Copy ${plural(ids.length, 'request id')}`,
              text: ids.join('\n'),
            } as const,
          ]),
      table(['finding', '#delta', 'model', 'what, the sum, what to do', '@request id', 'evidence'], rows),
    ],
    open,
  );
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
