import { expect, test } from 'vitest';
import { DEFAULT_PLAN_FILE, loadConfig } from './load-config.ts';
import { objectiveFlags } from './objective-flags.ts';
import type { Problem } from './problem.ts';

function read(...texts: string[]) {
  const problems: Problem[] = [];
  return { objectives: objectiveFlags(texts, problems), problems };
}

test('bounds are times with a percentile, shares, rates and amounts, several by commas', () => {
  const given = 'ttft_p95=800ms,chat.e2e_p99.9<=5s, error_share=1%';
  expect(read(given, 'goodput_rate>=2.5', 'attainment_share=99%', 'usd_per_1000_good=1.50')).toEqual({
    objectives: [
      { measure: 'ttft_ms', percentile: 95, max: 800 },
      { kind: 'chat', measure: 'e2e_ms', percentile: 99.9, max: 5_000 },
      { measure: 'error_share', max: 0.01 },
      { measure: 'goodput_rate', min: 2.5 },
      { measure: 'attainment_share', min: 0.99 },
      { measure: 'usd_per_1000_good', max_usd: '1.50' },
    ],
    problems: [],
  });
});

test.each([
  ['ttft=800ms', /MEASURE_pN=TIME/],
  ['ttft_p95=fast', /MEASURE_pN=TIME/],
  ['ttft_p95', /MEASURE_pN=TIME/],
  ['speed_p95=1s', /one of ttft_ms/],
  ['words.ttft_p95=1s', /one of chat/],
  ['error_share=200%', /share from 0 to 1/],
])('%s is refused by its rule', (text, rule) => {
  const { objectives, problems } = read(text);
  expect(objectives).toEqual([]);
  expect(problems).toHaveLength(1);
  expect(problems[0]).toMatchObject({ at: '--objective', rule: expect.stringMatching(rule) });
});

test('they hold beside those of the file, and a kind that nothing calls is refused', () => {
  const flags = { rate: '5/s', objective: ['ttft_p95=800ms'] };
  expect(loadConfig({ file: DEFAULT_PLAN_FILE, env: {}, flags }).objectives).toMatchObject([
    { scenario: null, kind: null, measure: 'ttft_ms', percentile: 95, max: 800, min: null },
  ]);
  const video = { rate: '5/s', objective: ['video.e2e_p95=60s'] };
  expect(() => loadConfig({ file: DEFAULT_PLAN_FILE, env: {}, flags: video })).toThrow(
    /--objective: must name a scenario or kind of the traffic: chat/,
  );
});
