import { expect, test } from 'vitest';
import { reportInput, withoutBill } from '../report.test-support.ts';
import { loadCsv } from './load-csv.ts';
import { openMetrics } from './open-metrics.ts';
import { summaryText } from './summary-text.ts';

const MONEY = /money|price|bill|usd|\$|charge|cost|spen[dt]|paid/i;

test('summary.txt tells the load in five lines, without a word of money', () => {
  const { result } = withoutBill(['chat', 'video']);
  const text = summaryText(result) ?? '';
  expect(text.split('\n')).toEqual([
    'http://127.0.0.1:9: 38 of 40 calls succeeded, at 4.00 starts/s (4.00 asked).',
    'rates: chat 2.00 starts/s of 2.00, 18 ok, 1.80 good/s · video 2.00 starts/s of 2.00, 20 ok, 2.00 good/s',
    'times, ms, p50 and p99: chat TTFT 106 132, ITL – –, TPOT 41.8 57.6, e2e 525 680 · video TTFT – –, ITL – –, TPOT – –, e2e 516 680',
    'output tokens/s, in all and a stream: chat 19.79 23.92 · video 21.98 –',
    expect.stringMatching(/^client: kept up: /),
    '',
  ]);
  expect(text).not.toMatch(MONEY);
});

test('a guess stands in the summary as one, and a bill needs more than five lines', () => {
  const { result } = withoutBill(['chat']);
  const guessed = summaryText({ ...result, assumed_usd_per_call: '0.002' });
  expect(guessed?.trimEnd()).toMatch(/ · your guess: \$0\.002 a call; real spend is not known$/);
  expect(guessed?.trimEnd().split('\n')).toHaveLength(5);
  expect(summaryText(reportInput().result)).toBeNull();
});

test('load.csv has a line for each kind and one for all; what was not measured is empty', () => {
  const [head = '', chat = '', video = '', total = '', ...rest] = loadCsv(
    withoutBill(['chat', 'video']).result.load,
  ).split('\r\n');
  expect(rest).toEqual(['']);
  const cell = (line: string, name: string) => line.split(',')[head.split(',').indexOf(name)];
  expect([chat, video, total].map((line) => cell(line, 'kind'))).toEqual(['chat', 'video', 'total']);
  expect([cell(chat, 'ok'), cell(chat, 'ttft_p50'), cell(video, 'ttft_p50')]).toEqual(['18', '106', '']);
  expect(cell(chat, 'output_tokens')).toMatch(/^19\.7/);
});

test('metrics.prom of a load without a bill tells rates, calls, times and tokens, and no money', () => {
  const text = openMetrics(withoutBill(['chat']).result);
  expect(text).toContain('weighbridge_load_per_second{kind="chat",rate="asked"} 2\n');
  expect(text).toContain('weighbridge_load_calls{kind="chat",outcome="http_error"} 2\n');
  expect(text).toContain('weighbridge_load_milliseconds{kind="chat",time="ttft",quantile="p50"} 106\n');
  expect(text).toMatch(/weighbridge_load_output_tokens_per_second\{kind="chat",of="all"\} 19\.\d+\n/);
  expect(text).not.toMatch(MONEY);
});
