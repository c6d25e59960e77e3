import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Result } from '../core/result.ts';
import { replaceFile } from '../files/replace-file.ts';
import { findingsCsv } from './findings-csv.ts';
import { renderHtml } from './html.ts';
import { renderMarkdown } from './markdown.ts';
import type { ReportInput } from './report-sections.ts';
import { resultSchema } from './result-schema.ts';

/** Paths of what was written; the findings files are null where nothing was reconciled. */
export interface ReportPaths {
  readonly result: string;
  readonly markdown: string;
  readonly html: string;
  readonly findingsNdjson: string | null;
  readonly findingsCsv: string | null;
}

/** Writes a run's reports into its folder. The same input gives the same bytes. */
export function writeReport(dir: string, input: ReportInput): ReportPaths {
  mkdirSync(dir, { recursive: true });
  const findings = input.reconciliation?.findings ?? null;
  const ndjson = findings?.map((finding) => `${JSON.stringify(finding)}\n`).join('') ?? null;
  return {
    result: place(dir, 'result.json', resultJson(input.result)),
    markdown: place(dir, 'report.md', renderMarkdown(input)),
    html: place(dir, 'report.html', renderHtml(input)),
    findingsNdjson: ndjson === null ? null : place(dir, 'findings.ndjson', ndjson),
    findingsCsv: findings === null ? null : place(dir, 'findings.csv', findingsCsv(findings)),
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
