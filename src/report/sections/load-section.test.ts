import { expect, it } from 'vitest';
import type { FailureGroup, LoadResult } from '../../contracts/load-result.ts';
import { measurementOf } from '../report.test-support.ts';
import { loadSection } from './load-section.ts';

it('says how many failed beyond the groups in the table', () => {
  const { load } = measurementOf(['chat']);
  const failures = Array.from({ length: 10 }, (_, code): FailureGroup => {
    return { outcome: 'http_error', status: 400, error_code: `code_${code}`, message: null, count: 1 };
  });
  const textOf = (http_error: number): string => {
    const scenarios = load.scenarios.map((each) => ({ ...each, failures, outcomes: { ok: 1, http_error } }));
    return JSON.stringify(loadSection({ ...load, scenarios }));
  };
  expect(textOf(3405)).toContain('beyond the largest groups: chat 3395.');
  expect(textOf(10)).not.toContain('beyond the largest groups');
});

it('says how many results could not be downloaded, and why', () => {
  const { load } = measurementOf(['image']);
  const cause = { error_type: 'none', status: null } as const;
  const failed_downloads: LoadResult['failed_downloads'] = [
    { ...cause, outcome: 'http_error', status: 403, count: 8 },
    { ...cause, outcome: 'net_error', error_type: 'dns', count: 2 },
    { ...cause, outcome: 'timeout_idle', count: 1 },
    { ...cause, outcome: 'bad_response', count: 1 },
  ];
  const textOf = (told: LoadResult): string => JSON.stringify(loadSection(told));
  expect(textOf({ ...load, failed_downloads })).toContain(
    '12 results could not be downloaded: HTTP 403 (8); not reached: dns (2); too slow: timeout_idle (1); no whole image or video (1). Their calls are no success; what they cost is in the bill.',
  );
  expect(textOf(load)).not.toContain('could not be downloaded');
});

it('says what refusals taught of the target', () => {
  const { load } = measurementOf(['chat']);
  const textOf = (learnt: string[]): string =>
    JSON.stringify(loadSection({ ...load, scenarios: load.scenarios.map((each) => ({ ...each, learnt })) }));
  expect(textOf(['max_completion_tokens'])).toContain('chat: the target refused max_tokens');
  expect(textOf(['no_stream_options'])).toContain('tokens are those that a stream told by itself');
  expect(textOf(['of a later version'])).toContain('chat: learnt: of a later version');
  expect(textOf([])).not.toContain('refused');
});
