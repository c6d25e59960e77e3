import { describe, expect, it } from 'vitest';
import type { Finding } from '../../contracts/finding.ts';
import type { MatchPass } from '../../contracts/match-pass.ts';
import { coverageOf } from '../../contracts/reconciliation.test-support.ts';
import type { Result } from '../../contracts/result.ts';
import { failedRow, stateLine } from '../../measure/ledger.test-support.ts';
import { measure } from '../../measure/measure.ts';
import { finding, planWith, reconciliation, reportInput, withTrial } from '../report.test-support.ts';
import { definitionsSection } from '../sections/evidence-section.ts';
import { moneySection } from '../sections/money-section.ts';
import { undecidedSection } from '../sections/undecided-section.ts';
import { clientWords, findingWords, headline, moneyWords } from './verdict-words.ts';

const FAILED = measure({
  plan: planWith(['chat']),
  rows: [failedRow(0), failedRow(10)],
  states: [stateLine({ planned: 2, started: 2 })],
  window: null,
  cores: 2,
  costs: null,
});

const ALL_FAILED = 'Every call failed: none of 2 calls succeeded, 2 with http_error 503.';

function uncharged() {
  const parts = reconciliation();
  const none = { to_the_digit: null, within_bounds: null, not_checkable: null, provisional: null };
  return { ...parts, coverage: { ...parts.coverage, ...none } };
}

describe('headline', () => {
  it('is good where every charge holds', () => {
    expect(headline(reportInput().result)).toEqual({
      tone: 'good',
      text: '42 of 42 charges match the price list.',
    });
    const { coverage } = reconciliation();
    const of = (charges: typeof coverage.charges, findings: readonly Finding[] = []) => {
      const judged = reconciliation(findings);
      return headline(
        reportInput({ reconciliation: { ...judged, coverage: { ...judged.coverage, charges } } }).result,
      ).text;
    };
    expect(of({ matched: 1, of: 1 })).toBe('1 of 1 charge matches the price list.');
    expect(of({ matched: 43, of: 44 }, [finding({ severity: 'S4' })])).toBe(
      '43 of 44 charges match the price list. 1 smaller finding does not fail the audit.',
    );
    // As an earlier version wrote it.
    expect(of(null)).toBe('The charges match the price list.');
  });

  it.each([
    [7, 'warning'],
    [4, 'bad'],
    [3, 'bad'],
  ])('gives the reason of exit %i, whatever the bill looks like', (code, tone) => {
    const exits = [{ code, why: 'no call succeeded' }];
    expect(headline(reportInput({ measurement: FAILED, reconciliation: uncharged(), exits }).result)).toEqual(
      { tone, text: 'No call succeeded.' },
    );
  });

  it('says first that every call failed', () => {
    const failed = { tone: 'bad', text: ALL_FAILED };
    expect(headline(reportInput({ measurement: FAILED }).result)).toEqual(failed);
    expect(headline(reportInput({ measurement: FAILED, reconciliation: null }).result)).toEqual(failed);
  });

  it('is no good news where nothing was charged, or nothing was started', () => {
    expect(headline(reportInput({ reconciliation: uncharged() }).result)).toEqual({
      tone: 'warning',
      text: 'Nothing was charged, so no charge could be checked.',
    });
    const idle = measure({
      plan: planWith(['chat']),
      rows: [],
      states: [],
      window: null,
      cores: 2,
      costs: null,
    });
    expect(headline(reportInput({ measurement: idle }).result)).toEqual({
      tone: 'warning',
      text: 'Nothing was measured: no call was started in the measured time.',
    });
  });
});

describe('a run of several load engines', () => {
  const { client } = reportInput({}).result;
  const words = (changes: object) => clientWords(client === null ? null : { ...client, ...changes });

  it('tells how far apart they began, whether they kept up or not', () => {
    const slow = ['left: CPU p95 1 of 1 cores is above 0.8 of 1 cores'];
    const apart = 'start skew 600 ms is above 5 % of the 10 s in which calls are started';
    expect(words({ start_skew_ms: 210 })).toMatch(
      /^kept up: schedule lag p99 [^,]+, start skew 210 ms, CPU at most/,
    );
    const limited = { verdict: 'client_limited', start_skew_ms: 600 };
    expect(words({ ...limited, reasons: slow })).toBe(
      `A load engine was too busy. Ignore the latencies (client_limited): ${slow[0]}; start skew 600 ms`,
    );
    expect(words({ ...limited, reasons: [apart] })).toBe(
      `A load engine was too busy. Ignore the latencies (client_limited): ${apart}`,
    );
    expect(words({})).not.toContain('skew');
  });
});

describe('a bill without a ledger', () => {
  const of_records = [
    { kind: 'text', charged: '0.0028', checked: '0.0028', untold: '0' },
    { kind: 'image', charged: '0.03', checked: '0', untold: '0.03' },
    { kind: 'video', charged: '0.4', checked: '0', untold: '0.4' },
  ] as const;

  function of(kinds: Result['coverage'] & object, findings = reconciliation().findings) {
    const parts = reconciliation(findings);
    return headline(reportInput({ measurement: null, reconciliation: { ...parts, coverage: kinds } }).result);
  }

  const untold = "images and videos: $0.43 of $0.43 can't be checked without a log of your calls.";
  const coverage = coverageOf({ to_the_digit: 0.0065, not_checkable: 0.9935, untold: 0.9935, of_records });

  it('is no good bill where its records can decide only a part: that is the first thing said', () => {
    expect(of(coverage)).toEqual({ tone: 'warning', text: `Text: checked; ${untold}` });
    expect(of(coverage, [finding({ severity: 'S4' })]).text).toBe(
      `Text: checked; ${untold} Smaller findings do not fail the audit.`,
    );
  });

  it('names what of the rest was checked, and says it of a bill that does not hold too', () => {
    const [text, ...others] = of_records;
    const half = coverageOf({ ...coverage, of_records: [{ ...text, checked: '0.0014' }, ...others] });
    expect(of(half).text).toBe(`Text: $0.0014 of $0.0028 checked; ${untold}`);
    expect(of(coverage, [finding()]).text).toMatch(
      /^\$0\.0125 charged above the price list: 1 finding\. Text: checked; images and/,
    );
    const none = coverageOf({
      ...coverage,
      of_records: of_records.map((each) => ({ ...each, untold: '0' })),
    });
    expect(of(none)).toEqual({
      tone: 'warning',
      text: 'Too little could be checked to judge: 0.65 % of the charged money.',
    });
    expect(of({ ...none, to_the_digit: 0.4, within_bounds: 0.2 })).toEqual({
      tone: 'good',
      text: 'No wrong charge was found in the 60 % of the money that could be checked.',
    });
  });

  it('tells what settles it, and what is open', () => {
    const why = "can't be checked without a log of your calls: a record tells neither seconds nor resolution";
    const parts = {
      ...reconciliation(),
      coverage: { ...coverage, not_checkable_why: [{ why, share: 0.9935, calls: 2 }] },
    };
    const { result } = reportInput({ measurement: null, reconciliation: parts });
    expect(JSON.stringify(undecidedSection(result))).toContain('a log of your calls, given as --ledger');
    expect(JSON.stringify(moneySection(parts, null))).toContain(
      "the evidence leaves an interval, or it can't be checked without a log of your calls",
    );
  });
});

it('the money section and the result tell the records of the trial from the others', () => {
  const cells = (parts: ReturnType<typeof reconciliation>) => JSON.stringify(moneySection(parts, null));
  expect(cells(withTrial())).toContain('charged by 42 usage records, 2 of them of the trial');
  expect(cells(reconciliation())).not.toContain('trial');
  expect(reportInput({ reconciliation: withTrial() }).result.money).toMatchObject({
    records: 42,
    trial_records: 2,
  });
});

it('calls that we ended ourselves did not fail', () => {
  const { load, ...rest } = FAILED;
  const of = (outcomes: typeof load.total.outcomes) => {
    const total = { ...load.total, outcomes };
    return headline(reportInput({ measurement: { ...rest, load: { ...load, total } } }).result).text;
  };
  expect(of({ aborted: 2 })).toBe('None of 2 calls succeeded.');
  expect(of({ http_error: 1, aborted: 1 })).toMatch(/^Every call failed: none of 1 call /);
});

it('a bill that does not hold says how much is certainly wrong, and to whose loss', () => {
  const { result } = reportInput({
    reconciliation: reconciliation([finding()]),
    exits: [{ code: 5, why: '1 finding at or above the gate' }],
  });
  const { money } = result;
  if (money === null) throw new Error('the bill is judged');
  const said = (certain_over: string | null, certain_under: string | null) =>
    headline({ ...result, money: { ...money, certain_over, certain_under } }).text;
  expect(said('0.0125', '0')).toBe('$0.0125 charged above the price list: 1 finding.');
  expect(said('0', '2')).toBe('The gateway charged $2 less than its price list: 1 finding.');
  expect(said('1', '2')).toBe('$1 charged above the price list: 1 finding. Other charges are $2 too low.');
  expect(said('0', '0')).toBe('The bill has 1 finding.');
  expect(said(null, null)).toBe('The bill has 1 finding.');
});

it('tells every part of the charged money, and not only the best one', () => {
  const { result } = reportInput();
  const { coverage } = result;
  if (coverage === null) throw new Error('the bill is judged');
  const shares = { to_the_digit: 0.5, within_bounds: 0.25, not_checkable: 0.25, provisional: 0 };
  expect(moneyWords({ ...result, coverage: { ...coverage, ...shares } })).toMatch(
    /^50 % checked to the digit, 25 % within bounds, 25 % not checkable · /,
  );
});

it('explains the words of load only where something was driven', () => {
  const { result } = reportInput();
  const words = (load: typeof result.load) => JSON.stringify(definitionsSection({ load }));
  expect(words(result.load)).toContain('TTFT');
  expect(words(null)).not.toContain('TTFT');
  expect(words(null)).toContain('within bounds');
});

it('findings are told in words beside their class, as rows and what they come from', () => {
  const [group] = reconciliation([finding({ class: 'group_ratio_wrong' })]).groups;
  if (group === undefined) throw new Error('no group');
  const many = { ...group, count: 5, rows: 4, causes: 1 };
  expect(findingWords(many)).toBe(
    'All amounts differ by one factor (group_ratio_wrong): 4 rows, 1 cause +$0.0125',
  );
  expect(findingWords({ ...group, count: 2, rows: 2, causes: 2, provisional: 1 })).toBe(
    'All amounts differ by one factor (group_ratio_wrong): 2 findings +$0.0125 (1 provisional)',
  );
});

it('calls of another program that all lack a record put the key in question before the bill', () => {
  const { result } = reportInput({
    reconciliation: reconciliation([finding()]),
    exits: [{ code: 5, why: '1 finding at or above the gate' }],
  });
  const said = (...passes: readonly MatchPass[]) =>
    headline({
      ...result,
      load: null,
      basis: 'ledger',
      matching: passes.map((pass) => ({ pass, pairs: 3, charged: null })),
    }).text;
  const doubt =
    'None of 3 calls has a usage record. Check first that key, target and period are those of the calls.';
  expect(said('none')).toBe(doubt);
  expect(said('none', 'foreign')).toBe(doubt);
  expect(said('fingerprint', 'none')).toMatch(/^\$0\.0125 charged above/);
  expect(said('foreign')).toMatch(/^\$0\.0125 charged above/);
  const matching = [{ pass: 'none', pairs: 3, charged: null }] as const;
  expect(headline({ ...result, matching }).text).toMatch(/^\$0\.0125 charged above/);
});
