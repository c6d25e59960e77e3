import { describe, expect, test } from 'vitest';
import type { ExercisedLine } from '../../../contracts/coverage-result.ts';
import type { CallUsage } from '../../../contracts/ledger-lines.ts';
import type { InputSpec } from '../../reconcile.test-support.ts';
import {
  archivedBook,
  bookDocument,
  cutRow,
  errorRow,
  IMAGE_RECORD,
  imageRow,
  judge,
  recordOf,
  TEXT_MODEL,
  textRow,
  VIDEO_RECORD,
  videoRow,
} from '../../reconcile.test-support.ts';

function usage(changes: Partial<CallUsage>): CallUsage {
  return { input: 1000, output: 100, cache_read: 0, cache_write: 0, reasoning: null, raw: {}, ...changes };
}

function seenOf(spec: InputSpec, kind: ExercisedLine['kind']): readonly string[] {
  return judge(spec)
    .coverage.exercised.filter((line) => line.kind === kind)
    .map(({ model, line, seen }) => `${model === null ? '' : `${model} `}${line}: ${seen}`);
}

describe('price lines', () => {
  test('of the models that were called, the ones that nothing went over at 0', () => {
    const spec = {
      rows: [textRow('a'), imageRow('b')],
      sweeps: [{ records: [recordOf('a'), recordOf('b', IMAGE_RECORD)] }],
    };
    expect(seenOf(spec, 'price')).toEqual([
      'image-1 image 1024x1024 high: 0',
      'image-1 image 1024x1024 low: 1',
      'text-1 cache_read_token: 0',
      'text-1 input_token: 1',
      'text-1 output_token: 1',
    ]);
  });

  test('are not gone over by units that are only possible', () => {
    const spec = {
      rows: [cutRow('a', { out_chars: 0, ttft_ms: null })],
      sweeps: [
        {
          records: [
            recordOf('a', {
              result: 'incomplete',
              amount: '0.002',
              output_tokens: 0,
              refunded_amount: '0.008',
            }),
          ],
        },
      ],
    };
    // Without usage the whole prompt may have come from the cache.
    expect(seenOf(spec, 'price')).toEqual([
      'text-1 cache_read_token: 0',
      'text-1 input_token: 0',
      'text-1 output_token: 0',
    ]);
  });

  test('are not gone over by a call whose charge could not be judged', () => {
    const spec = {
      rows: [textRow('a')],
      sweeps: [{ records: [recordOf('a', { billing_status: 'pending', amount: '0' })] }],
    };
    expect(seenOf(spec, 'price')).toContain('text-1 input_token: 0');
  });
});

describe('tier edges', () => {
  const tiered = archivedBook(
    bookDocument({
      models: [
        {
          id: TEXT_MODEL,
          kind: 'text',
          unit: 'per_1m_tokens',
          input: '2',
          output: '8',
          tiers: {
            basis: 'context_len',
            mode: 'cliff',
            inclusive: 'gt',
            thresholds: [{ above: 1000, input: '4', output: '16' }],
          },
        },
      ],
    }),
  );

  test('are met only by the last size below a threshold and the first beyond it', () => {
    expect('unreadable' in tiered.reading ? tiered.reading.unreadable : []).toEqual([]);
    const spec = {
      books: [tiered],
      rows: [textRow('a'), textRow('b', { usage: usage({ input: 1002 }) })],
      sweeps: [
        {
          records: [
            recordOf('a'),
            recordOf('b', { input_tokens: 1002, amount: '0.005608', refunded_amount: '0.004392' }),
          ],
        },
      ],
    };
    expect(seenOf(spec, 'tier_edge')).toEqual([
      'text-1 context_len = 1000: 1',
      'text-1 context_len = 1001: 0',
    ]);
    expect(seenOf(spec, 'price')).toEqual([
      'text-1 input_token: 1',
      'text-1 input_token at context_len > 1000: 1',
      'text-1 output_token: 1',
      'text-1 output_token at context_len > 1000: 1',
    ]);
  });
});

test('a rounding tie is a sum in the middle between two amounts', () => {
  const coarse = archivedBook(
    bookDocument({ rounding: { scope: 'record', quantum: '0.00001', mode: 'half_up' } }),
  );
  const of = (input: number, amount: string) => ({
    books: [coarse],
    rows: [textRow('a', { usage: usage({ input, output: 0 }), out_chars: 4 })],
    sweeps: [
      {
        records: [
          recordOf('a', {
            input_tokens: input,
            output_tokens: 0,
            amount,
            reserved_amount: amount,
            refunded_amount: '0',
          }),
        ],
      },
    ],
  });
  // 2 millionths each: 7.5 tokens are one and a half hundred-thousandths, which no whole count gives; 2.5 is 5 of 2.
  expect(seenOf(of(5, '0.00001'), 'tie')).toEqual(['text-1 half of 0.00001 (half_up): 0']);
  expect(seenOf(of(1000, '0.002'), 'tie')).toEqual(['text-1 half of 0.00001 (half_up): 0']);
  const cached = {
    ...of(10, '0.00002'),
    rows: [textRow('a', { usage: usage({ input: 10, output: 0, cache_read: 10 }), out_chars: 4 })],
    sweeps: [
      {
        records: [
          recordOf('a', {
            input_tokens: 10,
            cache_read_tokens: 10,
            output_tokens: 0,
            amount: '0.00001',
            reserved_amount: '0.00001',
            refunded_amount: '0',
          }),
        ],
      },
    ],
  };
  expect(seenOf(cached, 'tie')).toEqual(['text-1 half of 0.00001 (half_up): 1']);
});

test('cache use, formats by outcome, and ways in which money came back', () => {
  const spec = {
    rows: [
      textRow('a', { usage: usage({ cache_read: 600 }) }),
      errorRow('b', 429),
      videoRow('c', { outcome: 'task_failed', error_type: 'task_failed' }),
    ],
    sweeps: [
      {
        records: [
          recordOf('a', { cache_read_tokens: 600, amount: '0.0019', refunded_amount: '0.0081' }),
          recordOf('c', {
            ...VIDEO_RECORD,
            result: 'failed',
            billing_status: 'refunded',
            amount: '0',
            refunded_amount: '0.4',
          }),
        ],
      },
    ],
  };
  expect(seenOf(spec, 'cache')).toEqual(['text-1 cache read: 1', 'text-1 cache write: 0']);
  expect(seenOf(spec, 'format_outcome')).toEqual([
    'chat aborted: 0',
    'chat http_error: 1',
    'chat ok: 1',
    'chat stream_error: 0',
    'chat truncated: 0',
    'video http_error: 0',
    'video ok: 0',
    'video task_failed: 1',
    'video timeout_task: 0',
  ]);
  expect(seenOf(spec, 'refund')).toEqual([
    'the charge of a failed task given back: 1',
    'the reserve above the charge given back: 1',
    'the reserve of a failed call given back: 0',
  ]);
});
