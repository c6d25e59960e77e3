import { expect, test } from 'vitest';
import { judge, recordOf, textRow } from '../reconcile.test-support.ts';

const usage = { cache_read: 0, cache_write: 0, reasoning: null, raw: {} };
const embedding = textRow('e', {
  kind: 'embedding',
  path: '/v1/embeddings',
  stream: false,
  usage: { ...usage, input: 1_000, output: null },
});

/** $2 a million tokens of input, $8 of output. */
function embedded(amount: string) {
  const tokens = { input_tokens: 1_000, output_tokens: 0 };
  const record = recordOf('e', { ...tokens, amount, reserved_amount: amount, refunded_amount: '0' });
  return judge({ rows: [embedding], sweeps: [{ records: [record] }] });
}

test('an embedding is charged for its input alone, to the digit', () => {
  const { calls, findings } = embedded('0.002');
  expect(findings).toEqual([]);
  expect(calls[0]).toMatchObject({ expected: '0.002', charged: '0.002', verdict: 'to_the_digit' });
});

test('an embedding that is charged for output as well is found', () => {
  expect(embedded('0.0028').findings.map(({ direction }) => direction)).toEqual(['over']);
});

test('a completion is charged by its tokens as chat is', () => {
  const row = textRow('c', {
    kind: 'completion',
    path: '/v1/completions',
    usage: { ...usage, input: 1_000, output: 100 },
  });
  const amount = '0.0028';
  const record = recordOf('c', {
    ...{ input_tokens: 1_000, output_tokens: 100 },
    ...{ amount, reserved_amount: amount, refunded_amount: '0' },
  });
  const { calls, findings } = judge({ rows: [row], sweeps: [{ records: [record] }] });
  expect(findings).toEqual([]);
  expect(calls[0]).toMatchObject({ expected: amount, verdict: 'to_the_digit' });
});
