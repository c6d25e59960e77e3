import { expect, it } from 'vitest';
import type { CapacityResult } from '../../contracts/capacity-result.ts';
import { callRow, planOf, scenarioPlan, stateLine } from '../../measure/ledger.test-support.ts';
import { measure } from '../../measure/measure.ts';
import { renderMarkdown } from '../page/markdown.ts';
import { reportInput } from '../report.test-support.ts';
import { renderVerdict } from '../terminal/render-verdict.ts';
import { capacitySection, capacityWords, stepTable } from './capacity-section.ts';

const STEP = {
  instance: 'step1',
  rate_scale: 2,
  asked_rate: 20,
  achieved_rate: 20,
  concurrency: null,
  verdict: 'held',
  reasons: [],
  only_dropped: false,
  goodput: 19.5,
  attainment: 0.975,
  ttft_p95_ms: 312,
  e2e_p95_ms: 900,
  objectives: [],
} as const;
const FOUND: CapacityResult = {
  rate_scale: 2,
  asked_rate: 20,
  ended: 'client_limited',
  steps: [
    STEP,
    {
      ...STEP,
      instance: 'step2',
      rate_scale: 4,
      verdict: 'client_limited',
      reasons: ['CPU p95 1.9 of 2 cores'],
    },
  ],
};

it('says what held, why the search ended, and each step', () => {
  const text = JSON.stringify(capacitySection(FOUND));
  expect(text).toContain('20.00 starts per second, 2 × the planned rates');
  expect(text).toContain('This machine was too busy to judge the next rate');
  expect(text).toContain(
    '"step2","4","20.00","20.00","19.50","97.5 %","client_limited","CPU p95 1.9 of 2 cores"',
  );
  expect(JSON.stringify(capacitySection({ ...FOUND, rate_scale: null, asked_rate: null }))).toContain(
    'No rate held.',
  );
});

it('draws throughput against latency, a point for each step that has both', () => {
  const slow = { ...STEP, instance: 'step2', goodput: 31, ttft_p95_ms: 1900, verdict: 'missed' } as const;
  const none = { ...STEP, instance: 'step3', goodput: null };
  const curveOf = (steps: CapacityResult['steps']) =>
    capacitySection({ ...FOUND, steps }).blocks.find(({ type }) => type === 'curve');
  const points = [
    { label: 'step1', x: 19.5, y: 312, tone: 'good' },
    { label: 'step2', x: 31, y: 1900, tone: 'bad' },
  ];
  expect(curveOf([STEP, slow, none])).toMatchObject({ curve: { y: 'TTFT p95, ms', points } });
  const whole = [STEP, slow].map((step) => ({ ...step, ttft_p95_ms: null }));
  expect(curveOf(whole)).toMatchObject({ curve: { y: 'e2e p95, ms', points: [{ y: 900 }, { y: 900 }] } });
  expect(curveOf([STEP])).toBeUndefined();
});

it('shows what each step measured of an objective, on the page and on the terminal', () => {
  const bound = {
    percentile: null,
    max: 0.01,
    min: null,
    max_usd: null,
    actual_usd: null,
    actual_at_most: false,
  };
  const objectives = [
    { ...bound, scenario: 'chat', measure: 'ttft_ms', percentile: 95, max: 800, actual: 312.4, met: true },
    { ...bound, scenario: 'chat', measure: 'error_share', actual: 0.002, met: true },
  ] as const;
  const unmeasured = objectives.map((each) => ({ ...each, actual: null }));
  const found: CapacityResult = {
    ...FOUND,
    steps: [
      { ...STEP, objectives },
      { ...STEP, instance: 'step2', objectives: unmeasured },
    ],
  };
  expect(JSON.stringify(capacitySection(found))).toContain('"97.5 %","312","0.2 %","held","–"');
  expect(stepTable(found)).toEqual([
    'step   × planned  asked/s  starts/s  good calls/s  attainment  chat ttft p95 ms  chat error_share  verdict',
    'step1          2    20.00     20.00         19.50      97.5 %               312             0.2 %  held',
    'step2          2    20.00     20.00         19.50      97.5 %                 –                 –  held',
  ]);
});

it('says of a closed loop how many calls held at once, and the rate that they reached', () => {
  const loop = { ...FOUND, asked_rate: null, steps: [{ ...STEP, asked_rate: null, concurrency: 8 }] };
  expect(capacityWords(loop)).toMatch(/^8 calls at once \(20\.00\/s reached\) held \(2 × the plan\): /);
  expect(JSON.stringify(capacitySection(loop))).toContain(
    '8 calls at once (20.00 starts per second reached), 2 × the planned rates',
  );
});

it('names max_in_flight where the lowest rate that missed met every objective', () => {
  const missed = { ...STEP, rate_scale: 4, verdict: 'missed', only_dropped: true } as const;
  const found: CapacityResult = { ...FOUND, ended: 'resolved', steps: [STEP, missed] };
  const words = 'At 4 × the plan max_in_flight, not an objective, was the limit';
  expect(capacityWords(found)).toContain(words);
  expect(JSON.stringify(capacitySection(found))).toContain(words);
  const lower = { ...missed, rate_scale: 3, only_dropped: false };
  expect(capacityWords({ ...found, steps: [STEP, missed, lower] })).not.toContain('max_in_flight');
});

it('stands in the report only where a capacity was searched', () => {
  expect(renderMarkdown(reportInput({ capacity: FOUND }))).toContain('## Capacity');
  expect(renderMarkdown(reportInput())).not.toContain('## Capacity');
  expect(renderMarkdown(reportInput({ capacity: FOUND }))).toContain(
    ' --find-capacity --from 2 --step 10000ms',
  );
  expect(renderVerdict(reportInput({ capacity: FOUND }).result, { width: 200 })).toContainEqual(
    'capacity  20.00/s held (2 × the plan): this machine was too busy to judge the next rate: repeat on a quiet one. The capacity may be higher',
  );
});

it('shows how tokens came, what was sent again, and the client’s own figures', () => {
  const rows = [
    callRow(0, {
      logical_id: 'a',
      outcome: 'http_error',
      error_type: 'http_5xx',
      blame: 'gateway',
      status: 503,
    }),
    callRow(90, { logical_id: 'a', attempt: 2, itl: [[20, 9]], max_gap_ms: 21 }),
  ];
  const measurement = measure({
    plan: planOf([scenarioPlan()]),
    rows,
    states: [stateLine({ planned: 1, started: 1 })],
    window: null,
    cores: 2,
    costs: null,
  });
  const text = renderMarkdown(reportInput({ measurement, reconciliation: null }));
  expect(text).toContain('1 call sent again: 1 further attempt in all');
  expect(text).toMatch(/\| chat \| 1 \| 1.1 \| 21.0 \| 0 \| 0 \| 0 % \|/);
  expect(text).toMatch(/\| timer lag p99, ms \| 0.50 \|/);
  expect(text).toMatch(/\| open files at most, of 1024 \| 10 \|/);
});
