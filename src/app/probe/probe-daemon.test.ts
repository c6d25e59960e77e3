import { expect, test } from 'vitest';
import { logWords } from './probe-daemon.ts';

const RUN = {
  level: 'info',
  time: '2026-11-20T12:34:56.789Z',
  target: 'main',
  probe: 'chat-stream',
  api: 'chat',
  outcome: 'ok',
  error_type: 'none',
  why: null,
  duration_ms: 780.9,
  cost: { reserved_usd: '0.000023', priced_usd: '0.0000046' },
  msg: 'run',
};

test('a run is one short line, with its time, its cost and why it failed', () => {
  expect(logWords(JSON.stringify(RUN))).toBe('12:34:56  info   main chat-stream  ok  781 ms  $0.0000046');
  const failed = {
    ...RUN,
    level: 'warn',
    outcome: 'http_error',
    error_type: 'http_5xx',
    why: 'HTTP 503',
    cost: { reserved_usd: '0.000023', priced_usd: null },
  };
  expect(logWords(JSON.stringify(failed))).toBe(
    '12:34:56  warn   main chat-stream  failed: http_5xx  781 ms  HTTP 503',
  );
  expect(logWords(JSON.stringify({ ...RUN, cost: null }))).toBe(
    '12:34:56  info   main chat-stream  ok  781 ms',
  );
});

test('any other line tells its fields by name, and an error its message', () => {
  const { level, time } = RUN;
  const err = { type: 'Error', message: 'no room', stack: 'Error: no room\n at x' };
  expect(logWords(JSON.stringify({ level, time, at_most_ms: 30_000, msg: 'draining' }))).toBe(
    '12:34:56  info   draining  at_most_ms 30000',
  );
  expect(logWords(JSON.stringify({ level, time, target: 'main', err, msg: 'state not written' }))).toBe(
    '12:34:56  info   state not written  target main  no room',
  );
});

test('a line that is no log line stays as it is, and what a target sent moves no cursor', () => {
  expect(logWords('no json')).toBe('no json');
  expect(logWords(JSON.stringify({ ...RUN, why: '\u001b[2J' }))).not.toContain('\u001b');
});
