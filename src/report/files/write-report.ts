import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding } from '../../contracts/finding.ts';
import { type Result, resultSchema } from '../../contracts/result.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { renderMarkdown } from '../page/markdown.ts';
import { renderHtml } from '../page/report-html.ts';
import type { ReportInput } from '../sections/report-sections.ts';
import { differenceFindings } from '../sections/row-findings.ts';
import { csvLine } from '../words/csv-line.ts';
import { chainCsv } from './chain-csv.ts';
import { summaryText } from './summary-text.ts';

/** Paths of what was written; the findings files are null where nothing was reconciled. */
export interface ReportPaths {
  readonly result: string;
  readonly markdown: string;
  readonly html: string;
  /** Null where five lines do not hold the verdict: where there is a bill. */
  readonly summary: string | null;
  readonly findingsNdjson: string | null;
  readonly findingsCsv: string | null;
  /** Null where nothing tells what the gateway bought. */
  readonly chainCsv: string | null;
}

/** Writes a run's reports into its folder. The same input gives the same bytes. */
export function writeReport(dir: string, input: ReportInput): ReportPaths {
  mkdirSync(dir, { recursive: true });
  const findings = input.reconciliation?.findings ?? null;
  const ndjson = findings?.map((finding) => `${JSON.stringify(finding)}\n`).join('') ?? null;
  const summary = summaryText(input.result);
  const { chain } = input.result;
  return {
    summary: summary === null ? null : place(dir, 'summary.txt', summary),
    result: place(dir, 'result.json', resultJson(input.result)),
    markdown: place(dir, 'report.md', renderMarkdown(input)),
    html: place(dir, 'report.html', renderHtml(input)),
    findingsNdjson: ndjson === null ? null : place(dir, 'findings.ndjson', ndjson),
    findingsCsv: findings === null ? null : place(dir, 'findings.csv', findingsCsv(findings)),
    chainCsv: chain === undefined ? null : place(dir, 'chain.csv', chainCsv(chain.lines)),
  };
}

/** Canonical: keys in the order of the type, two blanks, a line break at the end. */
export function resultJson(result: Result): string {
  return `${JSON.stringify(resultSchema.parse(result), null, 2)}\n`;
}

/** Renamed into place: whoever reads while we write finds the old report or the new one. */
function place(dir: string, name: string, text: string): string {
  const path = join(dir, name);
  replaceFile(path, text);
  return path;
}

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
  ['warrant', ({ warrant }) => `${warrant.kind}: ${warrant.of}`],
];

/** findings.csv: RFC 4180, an empty cell where nothing is known. */
export function findingsCsv(findings: readonly Finding[]): string {
  const counted = new Set(differenceFindings(findings));
  const rows = findings.map((finding) => [
    ...COLUMNS.map(([, read]) => read(finding) ?? ''),
    String(counted.has(finding)),
  ]);
  return [[...COLUMNS.map(([name]) => name), 'in_difference'], ...rows].map(csvLine).join('');
}
