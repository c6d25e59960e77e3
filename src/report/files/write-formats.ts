import { join } from 'node:path';
import { EXIT } from '../../contracts/exit-code.ts';
import { FAULT_CLASSES } from '../../contracts/fault-class.ts';
import type { Finding } from '../../contracts/finding.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import type { Result } from '../../contracts/result.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { plural } from '../../text/plural.ts';
import type { FocusBilling } from '../focus/focus-columns.ts';
import { focusCsv } from '../focus/focus-csv.ts';
import { type BillRow, billRows } from '../rows/bill-row.ts';
import { writeCsvRows, writeNdjsonRows, writeParquetRows } from '../rows/write-rows.ts';
import { signedUsd, usd } from '../words/figure-text.ts';
import { MONEY_LINES } from '../words/money-lines.ts';
import { findingWords } from '../words/verdict-words.ts';
import { loadCsv } from './load-csv.ts';
import { openMetrics } from './open-metrics.ts';

/** What `report --format` may name, and the file that each makes. */
export const FORMATS = {
  junit: 'junit.xml',
  focus: 'focus.csv',
  'rows.ndjson': 'rows.ndjson',
  'rows.csv': 'rows.csv',
  'rows.parquet': 'rows.parquet',
  'metrics.prom': 'metrics.prom',
  'load.csv': 'load.csv',
} as const;
export type Format = keyof typeof FORMATS;

export interface FormatOptions {
  readonly formats: readonly Format[];
  readonly focusBilling: FocusBilling;
}

export interface WrittenFormats {
  readonly paths: readonly string[];
  /** What a reader of the files must know. */
  readonly notes: readonly string[];
}

/** Writes further forms of a judged run into its folder; where no bill was read, they have no rows. */
export async function writeFormats(
  dir: string,
  { result, reconciliation }: { readonly result: Result; readonly reconciliation: Reconciliation | null },
  { formats, focusBilling }: FormatOptions,
): Promise<WrittenFormats> {
  const rows = reconciliation === null ? [] : billRows(result.run_id, reconciliation);
  const notes: string[] = [];
  const paths: string[] = [];
  for (const format of formats) {
    const path = join(dir, FORMATS[format]);
    await write(format, path);
    paths.push(path);
  }
  return { paths, notes };

  async function write(format: Format, path: string): Promise<void> {
    switch (format) {
      case 'junit':
        return place(path, junitXml(result, reconciliation?.findings ?? []));
      case 'metrics.prom':
        return place(path, openMetrics(result));
      case 'load.csv':
        return place(path, loadCsv(result.load));
      case 'rows.ndjson':
        return writeNdjsonRows(path, rows);
      case 'rows.csv':
        return writeCsvRows(path, rows);
      case 'rows.parquet':
        return writeParquetRows(path, rows);
      case 'focus':
        return place(path, focusText(rows));
    }
  }

  function focusText(of: readonly BillRow[]): string {
    const { text, left_out } = focusCsv(of, { billing: focusBilling, target: result.target });
    if (left_out > 0) {
      notes.push(`focus.csv: ${plural(left_out, 'row')} left out, whose charge or time cannot be read`);
    }
    return text;
  }
}

function place(path: string, text: string): void {
  replaceFile(path, text);
}

const MOST_EXAMPLES = 10;

interface Case {
  readonly name: string;
  readonly outcome: 'passed' | 'failure' | 'error' | 'skipped';
  /** In one line. */
  readonly message: string;
  readonly text: string;
}

/**
 * junit.xml: a test case for each class of findings, which fails where one is at or above the gate, for each sum of the
 * money and for the verdict. What no row could have shown is skipped, what was not concluded is an error.
 */
export function junitXml(result: Result, findings: readonly Finding[]): string {
  const suites = [
    suite('weighbridge.findings', classCases(result, findings)),
    suite('weighbridge.money', moneyCases(result)),
    suite('weighbridge.verdict', [verdictCase(result)]),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="${escapeXml(result.run_id)}">\n${suites.join('')}</testsuites>\n`;
}

function classCases({ findings: groups, coverage }: Result, findings: readonly Finding[]): readonly Case[] {
  const examples = Map.groupBy(findings, ({ class: name }) => name);
  const checked = new Map(coverage?.classes.map((line) => [line.class, line.checked]));
  return FAULT_CLASSES.map((name): Case => {
    const found = groups.filter((group) => group.class === name);
    if (found.length === 0 && checked.get(name) === 0) {
      return { name, outcome: 'skipped', message: 'no row could have shown it', text: '' };
    }
    const message = found.map(findingWords).join('; ');
    const outcome = found.some(({ gates }) => gates) ? 'failure' : 'passed';
    return { name, outcome, message, text: exampleText(examples.get(name) ?? []) };
  });
}

function exampleText(findings: readonly Finding[]): string {
  const shown = findings.slice(0, MOST_EXAMPLES).map(exampleLine);
  const more = findings.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${plural(more, 'finding')} more`] : [])].join('\n');
}

function exampleLine({ id, request_id, delta_exact, explanation, next_step }: Finding): string {
  return `${id} ${request_id ?? '-'} ${signedUsd(delta_exact)} ${explanation} ${next_step}`;
}

function moneyCases({ money }: Result): readonly Case[] {
  return MONEY_LINES.map((name): Case => {
    const amount = money?.[name] ?? null;
    return amount === null
      ? { name, outcome: 'skipped', message: 'not known', text: '' }
      : { name, outcome: 'passed', message: '', text: usd(amount) };
  });
}

/** Findings fail above, each in its own class: only what else stands against the run is an error here. */
function verdictCase({ exit_codes }: Result): Case {
  const [first] = exit_codes;
  const text = exit_codes.map(({ code, why }) => `exit ${code}: ${why}`).join('\n');
  const outcome = first === undefined || first.code === EXIT.findings ? 'passed' : 'error';
  return { name: 'conclusion', outcome, message: first?.why ?? '', text };
}

function suite(name: string, cases: readonly Case[]): string {
  const count = (outcome: Case['outcome']): number => cases.filter((each) => each.outcome === outcome).length;
  const head = `name="${name}" tests="${cases.length}" failures="${count('failure')}" errors="${count('error')}" skipped="${count('skipped')}"`;
  return `  <testsuite ${head}>\n${cases.map((each) => caseXml(name, each)).join('')}  </testsuite>\n`;
}

function caseXml(suiteName: string, { name, outcome, message, text }: Case): string {
  const said = ` message="${escapeXml(message)}"`;
  const body =
    outcome === 'passed'
      ? text === ''
        ? ''
        : `      <system-out>${escapeXml(text)}</system-out>\n`
      : outcome === 'skipped'
        ? `      <skipped${said}/>\n`
        : `      <${outcome}${said}>${escapeXml(text)}</${outcome}>\n`;
  const open = `    <testcase classname="${suiteName}" name="${escapeXml(name)}"`;
  return body === '' ? `${open}/>\n` : `${open}>\n${body}    </testcase>\n`;
}

/** XML 1.0 has no place for most control characters and for halves of surrogate pairs. */
export function escapeXml(value: string): string {
  return (
    value
      .toWellFormed()
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what XML cannot hold.
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '\ufffd')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
      .replaceAll('\n', '&#10;')
      .replaceAll('\r', '&#13;')
      .replaceAll('\t', '&#9;')
  );
}
