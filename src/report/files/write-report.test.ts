import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { resultSchema } from '../../contracts/result.ts';
import { resultJsonSchema } from '../explain/explanation-schema.ts';
import {
  finding,
  HOSTILE_MODEL,
  measurementOf,
  planWith,
  reconciliation,
  reportInput,
} from '../report.test-support.ts';
import { buildResult } from './build-result.ts';
import { resultJson, writeReport } from './write-report.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'weighbridge-report-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

describe('result.json', () => {
  it('holds every part in the order of the type, exit codes by precedence', () => {
    const { result } = reportInput({
      reconciliation: reconciliation([finding()]),
      exits: [
        { code: 7, why: 'late' },
        { code: 5, why: 'findings' },
      ],
    });
    expect(Object.keys(result)).toEqual([
      'schema',
      'run_id',
      'target',
      'plan_hash',
      'tool',
      'period',
      'basis',
      'load',
      'money',
      'coverage',
      'findings',
      'accepted',
      'matching',
      'completeness',
      'statement',
      'client',
      'capacity',
      'baseline',
      'stopped',
      'exit_codes',
    ]);
    expect(result.exit_codes.map(({ code }) => code)).toEqual([5, 7]);
    expect(result.money).toMatchObject({ difference: '0.0125', pending: null });
    expect(result.period).toEqual({ start: '2026-11-20T10:00:00.000Z', end: '2026-11-20T10:00:10.000Z' });
    expect(Object.keys(result.load?.total.outcomes ?? {})).toEqual(['ok', 'http_error']);
  });

  it('has the same bytes whatever order the keys came in', () => {
    const { result } = reportInput();
    const turned = resultSchema.parse(Object.fromEntries(Object.entries(result).toReversed()));
    expect(resultJson(turned)).toBe(resultJson(result));
    expect(resultJson(result)).toMatch(/^\{\n {2}"schema": "weighbridge.result\/1",\n {2}"run_id"/);
  });

  it('keeps what is absent absent', () => {
    const { result } = reportInput({ measurement: null, reconciliation: null });
    expect(result).toMatchObject({
      load: null,
      money: null,
      coverage: null,
      client: null,
      period: null,
      findings: [],
    });
  });

  it('refuses an amount that is not a plain decimal', () => {
    const parts = reconciliation();
    const wrong = { ...parts, money: { ...parts.money, charged: '1e-7' } };
    const build = () =>
      buildResult({
        plan: planWith(['chat']),
        period: null,
        measurement: null,
        reconciliation: wrong,
        capacity: null,
        stopped: [],
        tool: { weighbridge: '0', k6: null },
        exits: [],
      });
    expect(build).toThrow(/charged/);
  });

  it('has the committed JSON Schema', () => {
    const committed = readFileSync(new URL('../result.schema.json', import.meta.url), 'utf8');
    expect(JSON.stringify(JSON.parse(committed))).toBe(JSON.stringify(resultJsonSchema()));
  });
});

describe('writeReport', () => {
  it('writes every file, the same bytes each time', () => {
    const input = reportInput({
      reconciliation: reconciliation([finding(), finding({ id: 'f2', severity: 'S4' })]),
    });
    const paths = Object.values(writeReport(dir, input)).filter((path) => path !== null);
    const first = paths.map((path) => readFileSync(path, 'utf8'));
    const again = reportInput({
      reconciliation: reconciliation([finding(), finding({ id: 'f2', severity: 'S4' })]),
    });
    writeReport(dir, again);
    expect(paths.map((path) => readFileSync(path, 'utf8'))).toEqual(first);
    expect(paths.map((path) => path.slice(dir.length + 1)).toSorted()).toEqual([
      'findings.csv',
      'findings.ndjson',
      'report.html',
      'report.md',
      'result.json',
    ]);
    expect(existsSync(join(dir, 'result.json.part'))).toBe(false);
  });

  it('writes one finding a line, and no findings file where nothing was reconciled', () => {
    const findings = [finding(), finding({ id: 'f2' })];
    const paths = writeReport(dir, reportInput({ reconciliation: reconciliation(findings) }));
    const text = readFileSync(paths.findingsNdjson ?? '', 'utf8');
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(findings);

    const other = join(dir, 'other');
    const without = writeReport(other, reportInput({ reconciliation: null }));
    expect(without).toMatchObject({ findingsNdjson: null, findingsCsv: null });
    expect(existsSync(join(other, 'findings.csv'))).toBe(false);
  });

  it('renders every kind and every combination of missing parts', () => {
    const kinds = [
      'chat',
      'responses',
      'messages',
      'image',
      'image_edit',
      'image_job',
      'image_edit_job',
      'video',
    ] as const;
    const all = reportInput({ plan: planWith(kinds), measurement: measurementOf(kinds) });
    const text = readFileSync(writeReport(dir, all).markdown, 'utf8');
    for (const kind of kinds) expect(text).toContain(`| ${kind.replaceAll('_', '\\_')} |`);
    const empty = writeReport(join(dir, 'empty'), reportInput({ measurement: null, reconciliation: null }));
    expect(readFileSync(empty.html, 'utf8')).not.toContain('chart-data');
    expect(readFileSync(empty.markdown, 'utf8')).not.toContain(HOSTILE_MODEL);
  });
});
