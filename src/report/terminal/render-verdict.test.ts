import { describe, expect, it } from 'vitest';
import { shownSetting } from '../../contracts/coverage-result.ts';
import type { KindResult } from '../../contracts/load-result.ts';
import { PAID_KINDS } from '../../core/call-kind.ts';
import { renderMarkdown } from '../page/markdown.ts';
import {
  finding,
  measurementOf,
  planWith,
  reconciliation,
  reportInput,
  withTrial,
} from '../report.test-support.ts';
import { renderVerdict } from './render-verdict.ts';

const REPORT = 'reports/run-1/report.html';

describe('renderVerdict', () => {
  it('says it all in a few plain lines', () => {
    const { result } = reportInput({
      reconciliation: reconciliation([finding()]),
      exits: [{ code: 5, why: '1 finding at or above the gate' }],
    });
    expect(renderVerdict(result, { width: 100, report: REPORT, finding: 'f1' })).toEqual([
      'kind   planned  started  dropped  ok  starts/s  TTFT p50  p95 ms  e2e p50  p95 ms  tokens/s  good/s',
      'chat        20       20        0  18      2.00       106     131      525     668     19.80    1.80',
      'image       20       20        0  20      2.00         –       –      516     666         –    2.00',
      'verdict   $0.0125 charged above the price list: 1 finding.',
      'money     98.99 % checked to the digit, 1.01 % within bounds · expected $1.2345678 · charged $1.2470678 · difference +$0.0125',
      'findings  Two charges for one request (duplicate_charge): 1 finding +$0.0125',
      'failed    chat 2 http_error 503',
      'client    kept up: schedule lag p99 1.00 ms, CPU at most 0.40 cores, no row lost',
      'objective ✓ chat error_share ≤ 0.2: 0.1',
      'exit      5: 1 finding at or above the gate',
      'look at   one finding: weighbridge explain f1',
      'report    reports/run-1/report.html',
    ]);
  });

  it('tells the keys apart where there are several', () => {
    const { result } = reportInput();
    const of = { outcomes: {}, ttft: null, e2e: null, tokens: null };
    const keys = ['0d3b560722915d2f', '1460db1b6902f8b1'].map((key_fp, rate_limited) => {
      return { key_fp, calls: 20, ok: 20 - rate_limited, rate_limited, ...of };
    });
    const load = result.load && { ...result.load, keys };
    expect(renderVerdict({ ...result, load }, { width: 100 })).toContain(
      'keys      0d3b5607 20 calls, 20 ok · 1460db1b 20 calls, 19 ok, 1 × HTTP 429',
    );
  });

  it('says that objectives were met, and nothing of them where a starved client measured', () => {
    const { result } = reportInput();
    const objective = { scenario: 'chat', measure: 'ttft_ms' as const, percentile: 95, max: 400, min: null };
    const money = { max_usd: null, actual: 300, actual_usd: null, actual_at_most: false };
    const objectives = [true, false].map((met) => ({ ...objective, ...money, met }));
    const load = result.load === null ? null : { ...result.load, objectives };
    const lines = (changes: Partial<typeof result>) =>
      renderVerdict({ ...result, load, ...changes }, { width: 100 }).join('\n');
    expect(lines({})).toContain('\nobjective ✗ chat ttft_ms p95 ≤ 400: 300 · ✓ chat ttft_ms p95 ≤ 400: 300');
    expect(lines({ load: load && { ...load, objectives: [] } })).not.toContain('objective');
    const client = result.client && { ...result.client, verdict: 'client_limited' as const };
    expect(lines({ client })).not.toContain('objective');
  });

  it('names the calls that the end of the run cut, with failures and without', () => {
    const { result } = reportInput({ measurement: measurementOf(['chat', 'image']) });
    const cut = (changes: Partial<KindResult>) => {
      const kinds = (result.load?.kinds ?? []).map((kind) => ({ ...kind, ...changes }));
      const load = result.load === null ? null : { ...result.load, kinds };
      return renderVerdict({ ...result, load }, { width: 60 }).find((line) => line.startsWith('failed'));
    };
    expect(cut({ failures: [], outcomes: { ok: 3 } })).toBeUndefined();
    expect(cut({ failures: [], outcomes: { interrupted: 2 } })).toBe(
      'failed    none · 4 cut by the end of the run',
    );
    // What is cut off for want of columns is never this.
    expect(cut({ outcomes: { interrupted: 2 } })).toBe(
      'failed    chat 2 http_error 503 · 4 cut by the end of the run',
    );
  });

  it('stays within 14 lines with eight kinds and everything to say', () => {
    const kinds = PAID_KINDS.filter((kind) => kind !== 'completion' && kind !== 'embedding');
    const parts = reconciliation([finding()]);
    const { result } = reportInput({
      plan: planWith(kinds),
      measurement: measurementOf(kinds),
      reconciliation: { ...parts, money: { ...parts.money, foreign: { records: 3, amount: '0.5' } } },
      stopped: [{ scenario: 's', kind: 'video', model: 'm', reason: 'no price' }],
      exits: [{ code: 5, why: 'findings' }],
    });
    const lines = renderVerdict(result, { width: 80, report: REPORT });
    expect(lines).toHaveLength(14);
    const text = lines.join('\n');
    for (const kind of kinds) expect(text).toContain(`\n${kind} `);
    expect(text).toContain('difference +$0.0125');
    expect(text).toContain('Two charges for one request (duplicate_charge): 1 finding');
    expect(text).toContain('3 records ($0.5) belong to no call of this run');
    expect(text).toContain('failed    chat 2 http_error 503');
    expect(text).toContain('video: no price');
    expect(text).toContain('kept up: ');
    expect(text).toContain('exit 5: findings');
    expect(lines.at(-1)).toBe(`report    ${REPORT}`);
    expect(lines[8]).toMatch(/^video /);
    expect(lines[9]).toMatch(/^verdict /);
    expect(lines[10]).toMatch(/^money {5}98\.99 % .* difference \+\$0\.0125$/);
  });

  it('says how much of the charge may be due or not', () => {
    const parts = reconciliation();
    const { result } = reportInput({
      reconciliation: { ...parts, money: { ...parts.money, open: '0.0056' } },
    });
    expect(renderVerdict(result, { width: 80 }).join('\n')).toContain(
      "difference $0 · $0.0056 can't be told",
    );
  });

  it('keeps a blank between the longest label and its text', () => {
    const parts = reconciliation();
    const { result } = reportInput({
      reconciliation: { ...parts, money: { ...parts.money, foreign: { records: 71, amount: '0.5' } } },
    });
    expect(renderVerdict(result, { width: 80 }).join('\n')).toContain(
      '\nshared key 71 records ($0.5) belong',
    );
  });

  it('tells records of other commands of ours, and those of which an incomplete ledger cannot tell', () => {
    const parts = reconciliation();
    const traffic = { records: 2, amount: '0.5' };
    const known = [
      { of: 'run b', ...traffic },
      { of: 'the probe', records: 1, amount: null },
    ];
    const input = reportInput({
      reconciliation: { ...parts, money: { ...parts.money, known, unattributed: traffic } },
    });
    const lines = renderVerdict(input.result, { width: 80 });
    expect(lines).toContain(
      'known     2 records ($0.5) of calls of run b, 1 record (–) of calls of the probe',
    );
    expect(lines).toContain(
      'unclear   2 records ($0.5) without a call: the ledger is incomplete, so they prove nothing',
    );
    expect(renderMarkdown(input)).toContain('2 records of this key ($0.5) are of calls of run b.');
    expect(renderMarkdown(input)).toContain('the missing rows and files of the ledger');
  });

  it('says how many of the records are of the trial', () => {
    const parts = withTrial();
    const money = { ...parts.money, open: '0.0056' };
    const { result } = reportInput({ reconciliation: { ...parts, money } });
    expect(renderVerdict(result, { width: 80 }).join('\n')).toContain(
      "difference $0 · $0.0056 can't be told · 42 usage records, 2 of them of the trial",
    );
  });

  it('says why calls failed, in the width there is', () => {
    const { result } = reportInput({
      measurement: measurementOf(['chat'], 'the model\u001b[2J makes 1024x1024'),
    });
    const line = (width: number) =>
      renderVerdict(result, { width }).find((text) => text.startsWith('failed'));
    expect(line(80)).toBe('failed    chat 2 http_error 503: the model [2J makes 1024x1024');
    expect(line(50)).toBe('failed    chat 2 http_error 503: the model [2J ma…');
  });

  it('has a column of held starts where there are some', () => {
    const { load, ...rest } = measurementOf(['chat']);
    const kinds = load.kinds.map((kind) => ({ ...kind, planned: 27, held: 7 }));
    const { result } = reportInput({ measurement: { ...rest, load: { ...load, kinds } } });
    const [head, row] = renderVerdict(result, { width: 80 });
    expect(head).toMatch(/^kind {2}planned {2}started {2}dropped {2}held {2}ok /);
    expect(row).toMatch(/^chat {7}27 {7}20 {8}0 {5}7 {2}18 /);
  });

  it('shortens a long list of findings and says so', () => {
    const classes = [
      'duplicate_charge',
      'token_mismatch',
      'image_price',
      'wrong_model_price',
      'late_posting',
    ] as const;
    const { result } = reportInput({
      reconciliation: reconciliation(classes.map((name, index) => finding({ id: `f${index}`, class: name }))),
    });
    const line = renderVerdict(result, { width: 90 }).find((text) => text.startsWith('findings')) ?? '';
    expect(line.length).toBeLessThanOrEqual(90);
    expect(line).toMatch(
      /^findings {2}Two charges for one request \(duplicate_charge\): 1 finding \+\$0\.0125 · 4 more$/,
    );
  });

  it('never calls a part the whole', () => {
    const parts = reconciliation();
    const { result } = reportInput({
      reconciliation: {
        ...parts,
        coverage: { ...parts.coverage, to_the_digit: 0.99999, within_bounds: 0.00001 },
      },
    });
    expect(renderVerdict(result, { width: 80 }).join('\n')).toContain('99.99 % checked to the digit');
  });

  it('says what was not done', () => {
    const { result } = reportInput({ measurement: null, reconciliation: null });
    expect(renderVerdict(result, { width: 80 })).toEqual([
      'money     no bill was checked',
      'findings  not looked for',
      'client    no load was made',
    ]);
  });

  it('says nothing of a client where only a bill was audited', () => {
    const { result } = reportInput({ measurement: null });
    const clientOf = (basis: typeof result.basis, plan_hash: string | null) =>
      renderVerdict({ ...result, basis, plan_hash }, { width: 80 }).find((line) => line.startsWith('client'));
    expect(clientOf('ledger', null)).toBeUndefined();
    expect(clientOf('records', null)).toBeUndefined();
    expect(clientOf('ledger', 'abc')).toBe('client    no load was made');
  });

  it('names why a measurement does not count', () => {
    const measurement = measurementOf(['chat']);
    const client = {
      ...measurement.client,
      verdict: 'client_limited',
      reasons: ['CPU reached 2 of 2 cores'],
    } as const;
    const { result } = reportInput({ plan: planWith(['chat']), measurement: { ...measurement, client } });
    expect(renderVerdict(result, { width: 80 }).join('\n')).toContain(
      'Your machine was too busy. Ignore the latencies (client_limited): CPU reached 2 of 2 cores',
    );
  });

  it('has a column of calls where a start made several', () => {
    const { load, ...rest } = measurementOf(['chat']);
    const kinds = load.kinds.map((kind) => ({ ...kind, started: 5 }));
    const { result } = reportInput({ measurement: { ...rest, load: { ...load, kinds } } });
    const [head, row] = renderVerdict(result, { width: 80 });
    expect(head).toMatch(/^kind {2}planned {2}started {2}dropped {2}calls {2}ok /);
    expect(row).toMatch(/^chat {7}20 {8}5 {8}0 {5}20 {2}18 /);
  });

  it('says first that every call failed', () => {
    const { load, ...rest } = measurementOf(['chat']);
    const failures = [
      { outcome: 'http_error', status: 503, error_code: null, message: null, count: 20 },
    ] as const;
    const total = { ...load.total, ok: 0, outcomes: { http_error: 20 }, failures };
    const { result } = reportInput({ measurement: { ...rest, load: { ...load, total } } });
    expect(renderVerdict(result, { width: 80 })[0]).toBe(
      'Every call failed: none of 20 calls succeeded, 20 with http_error 503.',
    );
  });

  it('names a limit on requests that made starts late', () => {
    const { client, ...rest } = measurementOf(['chat']);
    const limited = { ...client, rps_limit: { rps: 5, planned: 10 } };
    const { result } = reportInput({ measurement: { ...rest, client: limited } });
    expect(renderVerdict(result, { width: 80 }).join('\n')).toContain(
      'client    kept up: http.rps 5/s is below the planned peak of 10/s: starts waited for it; schedule lag',
    );
  });

  it('says that a book tells no rounding, where that costs the digit', () => {
    const parts = reconciliation();
    const settings = [
      shownSetting({ name: 'rounding', value: 'undeclared', evidence: 'not told by the book' }),
    ];
    const lineOf = (coverage: Partial<typeof parts.coverage>) => {
      const judged = { ...parts, coverage: { ...parts.coverage, settings, ...coverage } };
      const { result } = reportInput({ reconciliation: judged });
      return renderVerdict(result, { width: 80 }).find((line) => line.startsWith('book'));
    };
    expect(lineOf({ to_the_digit: 0, within_bounds: 1 })).toMatch(
      /^book {6}The price list does not say how it rounds, .*Set billing\.agreed\[\]\.rounding/,
    );
    expect(lineOf({ to_the_digit: 1, within_bounds: 0 })).toBeUndefined();
    expect(lineOf({ to_the_digit: 0, within_bounds: 1, settings: [] })).toBeUndefined();
  });

  it('begins a bill without load with its verdict, and says what a statement leaves unexplained', () => {
    const exits = [{ code: 5, why: '1 finding at or above the gate' }] as const;
    const { result } = reportInput({ reconciliation: reconciliation([finding()]), exits });
    const statement = {
      ...{ opening: '10', top_ups: '0', settled: '2', refunds: '0', holds: '0', others: '0' },
      ...{ due: '8', closing: '7.5', unexplained: '-0.5', receipts: [] },
    };
    const lines = renderVerdict({ ...result, load: null, basis: 'records', statement }, { width: 100 });
    expect(lines[0]).toMatch(/^verdict {3}\$0\.0125 charged above the price list: 1 finding\./);
    expect(lines).toContain('statement closing $7.5 · due $8 · unexplained -$0.5');
    const clean = reportInput().result;
    expect(renderVerdict({ ...clean, load: null }, { width: 100 })[0]).toBe(
      'verdict   42 of 42 charges match the price list.',
    );
  });
});
