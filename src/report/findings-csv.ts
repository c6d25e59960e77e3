import type { Finding } from '../core/finding.ts';
import { csvLine } from './csv-line.ts';

const COLUMNS: readonly (readonly [string, (finding: Finding) => string | null])[] = [
  ['id', (finding) => finding.id],
  ['class', (finding) => finding.class],
  ['severity', (finding) => finding.severity],
  ['confidence', (finding) => finding.confidence],
  ['direction', (finding) => finding.direction],
  ['delta_exact', (finding) => finding.delta_exact],
  ['delta_min', (finding) => finding.delta_min],
  ['delta_max', (finding) => finding.delta_max],
  ['request_id', (finding) => finding.request_id],
  ['call_id', (finding) => finding.call_id],
  ['model', (finding) => finding.model],
  ['rule', (finding) => finding.rule],
  ['evidence', (finding) => finding.evidence.join(' ')],
  ['explanation', (finding) => finding.explanation],
  ['next_step', (finding) => finding.next_step],
  ['provisional', (finding) => String(finding.provisional)],
];

/** findings.csv: RFC 4180, an empty cell where nothing is known. */
export function findingsCsv(findings: readonly Finding[]): string {
  const rows = findings.map((finding) => COLUMNS.map(([, read]) => read(finding) ?? ''));
  return [COLUMNS.map(([name]) => name), ...rows].map(csvLine).join('');
}
