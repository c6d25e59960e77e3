import type { Finding } from '../core/finding.ts';
import type { Reconciliation } from '../core/reconciliation.ts';
import { ABSENT, plural, signedUsd } from './figure-text.ts';
import { type Block, type Section, table, text } from './report-document.ts';

/** A page of more would not be read: findings.csv and findings.ndjson hold all of them. */
const MOST_SHOWN = 200;

export function findingsSection(reconciliation: Reconciliation): Section {
  const { findings, groups } = reconciliation;
  if (findings.length === 0) {
    return { id: 'findings', title: 'Findings', blocks: [text('None.')] };
  }
  const shown = findings.toSorted(bySeverity).slice(0, MOST_SHOWN);
  const blocks: Block[] = [
    table(
      ['class', 'severity', '#count', '#provisional', '#sum', 'gate'],
      groups.map(({ class: name, severity, count, provisional, delta, gates }) => [
        name,
        severity,
        String(count),
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
  const rows = shown.map((finding) => [
    finding.id,
    finding.provisional ? `${finding.class} (provisional)` : finding.class,
    `${finding.severity} ${finding.confidence}`,
    deltaText(finding),
    finding.model ?? ABSENT,
    finding.explanation,
    [...finding.evidence, `rule:${finding.rule}`].join(' '),
    finding.next_step,
  ]);
  blocks.push(
    table(['id', 'class', 'grade', '#delta', 'model', 'explanation', 'evidence', 'next step'], rows),
  );
  return { id: 'findings', title: 'Findings', blocks };
}

function deltaText({ delta_exact, delta_min, delta_max }: Finding): string {
  if (delta_exact !== null) return signedUsd(delta_exact);
  if (delta_min === null && delta_max === null) return ABSENT;
  return `${signedUsd(delta_min)} to ${signedUsd(delta_max)}`;
}

/** Graver first; equal ones keep the reconciler's order (sort is stable). */
function bySeverity(left: Finding, right: Finding): number {
  return left.severity < right.severity ? -1 : left.severity > right.severity ? 1 : 0;
}
