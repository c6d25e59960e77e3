import { expect, test } from 'vitest';
import { renderMarkdown } from '../page/markdown.ts';
import { renderHtml } from '../page/report-html.ts';
import { withoutBill } from '../report.test-support.ts';
import { renderVerdict } from './render-verdict.ts';

const MONEY = /money|price|bill|usd|\$|charge|cost|spen[dt]|paid|usage record|reconcil|audit/i;

/** What a reader of the page sees: neither scripts, styles nor the licence of the charts. */
function seen(html: string): string {
  return html.replaceAll(/<(script|style|details)\b[\s\S]*?<\/\1>/g, ' ').replaceAll(/<[^>]*>/g, ' ');
}

test('tells rates, times and tokens of each kind, and whether the client was fit', () => {
  const { result } = withoutBill(['chat', 'video']);
  expect(renderVerdict(result, { width: 100, report: 'r.html' })).toEqual([
    'verdict   38 of 40 calls succeeded, at 4.00 starts/s (4.00 asked).',
    'failed    chat 2 http_error 503: slow down',
    'kind   asked/s  starts/s  planned  started  dropped  ok  good calls/s  output tokens/s  per stream',
    'chat      2.00      2.00       20       20        0  18          1.80            19.79       23.92',
    'video     2.00      2.00       20       20        0  20          2.00            21.98           –',
    'ms         calls  mean   p50   p90   p95   p99   max',
    'chat TTFT     18   106   106   128   131   132   132',
    'chat TPOT     18  43.0  41.8  54.5  56.0  57.6  58.0',
    'chat e2e      18   536   525   653   668   680   683',
    'video e2e     20   529   516   650   666   680   683',
    "tokens    output tokens: by the server's usage",
    'client    kept up: schedule lag p99 1.00 ms, CPU at most 0.40 cores, no row lost',
    'objective ✓ chat error_share ≤ 0.2: 0.1',
    'report    r.html',
  ]);
});

test('says no word of money, on the terminal and in both reports', () => {
  const input = withoutBill(['chat', 'image_job', 'video'], {
    stopped: [{ scenario: 's', kind: 'video', model: 'm', reason: 'not offered' }],
    exits: [{ code: 4, why: 'chat: ttft_ms p95 is 900, at most 400 asked' }],
  });
  expect(renderVerdict(input.result, { width: 100, report: 'r.html' }).join('\n')).not.toMatch(MONEY);
  expect(renderMarkdown(input)).not.toMatch(MONEY);
  expect(seen(renderHtml(input))).not.toMatch(MONEY);
});

test('both reports hold the tokens per second', () => {
  const input = withoutBill(['chat']);
  expect(renderMarkdown(input)).toMatch(/\| output tokens\/s \| a stream \|/);
  expect(seen(renderHtml(input))).toContain('Output tokens/s');
});

test('begins with what the server said where every call failed', () => {
  const why = 'no call succeeded (no_call_succeeded): 3 of 3 ended http_error 400: not today';
  const { result } = withoutBill(['chat'], { exits: [{ code: 4, why }] });
  expect(renderVerdict(result, { width: 100 }).slice(0, 2)).toEqual([
    'verdict   No call succeeded (no_call_succeeded): 3 of 3 ended http_error 400: not today.',
    'failed    chat 2 http_error 503: slow down',
  ]);
});
