import type { Result } from '../../contracts/result.ts';
import { ABSENT, ms, signedUsd, usd } from '../words/figure-text.ts';
import { tellKeys } from '../words/key-words.ts';
import { type Section, table, text } from './report-document.ts';

/** Figures and money by API key; null where the calls were made with fewer than two. */
export function keysSection(result: Pick<Result, 'load' | 'money'>): Section | null {
  const keys = tellKeys(result);
  if (keys.length < 2) return null;
  const rows = keys.map(({ key_fp, figures, money }) => [
    key_fp ?? 'not told',
    ...[figures?.calls, figures?.ok, figures?.rate_limited].map((count) => count?.toString() ?? ABSENT),
    ...[figures?.ttft?.p50, figures?.ttft?.p99, figures?.e2e?.p50, figures?.e2e?.p99].map(ms),
    money === null ? ABSENT : usd(money.charged),
    money === null ? ABSENT : usd(money.expected),
    money === null ? ABSENT : signedUsd(money.difference),
  ]);
  return {
    id: 'keys',
    title: 'By API key',
    blocks: [
      text(
        'A key is told by the first 16 hex digits of its SHA-256. Calls and times are those of the measured phase; the money is that of all calls, the trial too.',
      ),
      table(
        [
          'key',
          '#calls',
          '#ok',
          '#HTTP 429',
          '#TTFT p50 ms',
          '#TTFT p99 ms',
          '#e2e p50 ms',
          '#e2e p99 ms',
          '#charged',
          '#expected',
          '#difference',
        ],
        rows,
      ),
    ],
  };
}
