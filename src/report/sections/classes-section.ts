import { TITLE_OF } from '../../contracts/fault-class.ts';
import type { Finding } from '../../contracts/finding.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { addDecimal, formatDecimal, normalise, parseDecimal, ZERO } from '../../core/decimal.ts';
import { instantOfSecond } from '../../core/time.ts';
import { ABSENT, signedUsd, toSecond } from '../words/figure-text.ts';
import { type Block, type Section, table, text } from './report-document.ts';

const SAMPLES = 3;

/** For whoever mends it: each class of findings with what explains its rows, where to look and what to do. */
export function classesSection({ findings, calls }: Reconciliation): Section | null {
  if (findings.length === 0) return null;
  const dates = new Map(calls.map((call) => [call.request_id, dateOf(call)]));
  const byClass = Map.groupBy(findings, ({ class: name, severity }) => `${severity} ${name}`);
  const blocks: Block[] = [
    text('Rows of a finding over many are counted once, as its rows.'),
    table(
      ['class', '#rows', '#sum', 'samples', 'first and last seen', 'what explains them', 'rule', 'next step'],
      [...byClass]
        .toSorted(([left], [right]) => (left < right ? -1 : 1))
        .map(([, of]) => classRow(of, dates)),
    ),
  ];
  return { id: 'classes', title: 'Findings by class', blocks };
}

function classRow(
  findings: readonly Finding[],
  dates: ReadonlyMap<string | null, string | null>,
): readonly string[] {
  const [first] = findings;
  const lines = rowFindings(findings);
  const seen = lines.flatMap(({ request_id }) => dates.get(request_id) ?? []).sort();
  const samples = lines.slice(0, SAMPLES).map(({ request_id, id }) => request_id ?? id);
  const more = lines.length > samples.length ? [`and ${lines.length - samples.length} more`] : [];
  return [
    first === undefined ? ABSENT : `${TITLE_OF[first.class]}\n${first.class}\n${first.severity}`,
    String(lines.reduce((sum, { rows }) => sum + rows, 0)),
    signedUsd(deltaSum(lines)),
    [...samples, ...more].join('\n'),
    seen.length === 0 ? ABSENT : [seen[0] ?? '', seen.at(-1) ?? ''].map(toSecond).join('\n'),
    distinct(findings.flatMap(({ hypothesis }) => (hypothesis === null ? [] : [hypothesisText(hypothesis)]))),
    distinct(findings.map(({ rule }) => rule)),
    distinct(findings.map(({ next_step }) => next_step)),
  ];
}

/** Without those over many rows, which stand beneath them one by one. */
export function rowFindings(findings: readonly Finding[]): readonly Finding[] {
  const parents = new Set(findings.map(({ group }) => group));
  return findings.filter(({ id }) => !parents.has(id));
}

/** The findings of rows whose deltas are a part of the difference: final, and about what was or should have been charged. */
export function differenceFindings(findings: readonly Finding[]): readonly Finding[] {
  return rowFindings(findings).filter(
    ({ bridge, provisional, delta_exact }) =>
      !provisional && delta_exact !== null && (bridge === 'settled' || bridge === 'absent'),
  );
}

function hypothesisText({ name, fit, of }: NonNullable<Finding['hypothesis']>): string {
  return `${name}: ${fit} of ${of} fit`;
}

const MOST_TEXTS = 3;

function distinct(texts: readonly string[]): string {
  const all = [...new Set(texts)];
  const more = all.length > MOST_TEXTS ? [`and ${all.length - MOST_TEXTS} more`] : [];
  return all.length === 0 ? ABSENT : [...all.slice(0, MOST_TEXTS), ...more].join('\n');
}

/** Null where one of them has bounds only. */
function deltaSum(findings: readonly Finding[]): string | null {
  let sum = ZERO;
  for (const { delta_exact } of findings) {
    const delta = delta_exact === null ? null : parseDecimal(delta_exact);
    if (delta === null) return null;
    sum = addDecimal(sum, delta);
  }
  return formatDecimal(normalise(sum));
}

function dateOf({ started_at, record }: Reconciliation['calls'][number]): string | null {
  return instantOfSecond(record?.created_at ?? null) ?? started_at;
}
