import { describe, expect, it } from 'vitest';
import { failedRow, stateLine } from '../measure/ledger.test-support.ts';
import { measure } from '../measure/measure.ts';
import { moneySection } from './money-section.ts';
import { planWith, reconciliation, reportInput, withTrial } from './report.test-support.ts';
import { headline } from './verdict-words.ts';

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
      text: 'The bill holds: every charge equals the price book to the last digit.',
    });
  });

  it('gives the reason of an inconclusive run, whatever the bill looks like', () => {
    const exits = [{ code: 7, why: 'no call succeeded, so nothing was weighed' }];
    expect(headline(reportInput({ measurement: FAILED, reconciliation: uncharged(), exits }).result)).toEqual(
      {
        tone: 'bad',
        text: `${ALL_FAILED} No call succeeded, so nothing was weighed.`,
      },
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
