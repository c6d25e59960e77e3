import type { Finding } from '../core/finding.ts';

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
  return [COLUMNS.map(([name]) => name), ...rows].map((row) => `${row.map(csvCell).join(',')}\r\n`).join('');
}

const PLAIN_DECIMAL = /^-?\d+(\.\d+)?$/;

/**
 * One cell. A spreadsheet runs a cell that begins with `=`, `+`, `-`, `@`, tab or carriage return: it gets an
 * apostrophe in front. A plain negative decimal stays a number: it computes nothing, and amounts must add up.
 */
export function csvCell(value: string): string {
  const safe = /^[=+\-@\t\r]/.test(value) && !PLAIN_DECIMAL.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
