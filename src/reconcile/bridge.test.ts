import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Finding } from '../contracts/finding.ts';
import type { UsageRecord } from '../contracts/interface.ts';
import type { CallRow } from '../contracts/ledger-lines.ts';
import type { Reconciliation } from '../contracts/reconciliation.ts';
import { parseAmount } from '../core/amount.ts';
import {
  cutRow,
  errorRow,
  type InputSpec,
  judge,
  recordOf,
  START_MS,
  textRow,
  VIDEO_RECORD,
  videoRow,
} from './reconcile.test-support.ts';

/** A call and its records at the first and at the last read. */
interface Story {
  readonly rows: readonly CallRow[];
  readonly first: readonly UsageRecord[];
  readonly last: readonly UsageRecord[];
}

const HELD: Partial<UsageRecord> = {
  billing_status: 'pending',
  result: 'unknown',
  amount: '0',
  refunded_amount: '0',
};
const PROMPT_ONLY: Partial<UsageRecord> = { output_tokens: 0, amount: '0.002', refunded_amount: '0.008' };
const BACK: Partial<UsageRecord> = {
  ...VIDEO_RECORD,
  billing_status: 'refunded',
  result: 'failed',
  amount: '0',
};

function told(row: CallRow, ...records: readonly UsageRecord[]): Story {
  return { rows: [row], first: records, last: records };
}

function failedTask(name: string): CallRow {
  return videoRow(name, { outcome: 'task_failed', error_type: 'task_failed' });
}

const STORIES: { readonly [kind: string]: (name: string) => Story } = {
  right: (name) => told(textRow(name), recordOf(name)),
  twice: (name) => told(textRow(name), recordOf(name), recordOf(name, { id: `second-${name}` })),
  dear: (name) => told(textRow(name), recordOf(name, { amount: '0.0031', refunded_amount: '0.0069' })),
  cheap: (name) => told(textRow(name), recordOf(name, { amount: '0.0011', refunded_amount: '0.0089' })),
  above: (name) => told(textRow(name), recordOf(name, { amount: '0.0125', refunded_amount: '0' })),
  uncharged: (name) => told(textRow(name), recordOf(name, { amount: '0', refunded_amount: '0.01' })),
  tokens: (name) =>
    told(
      textRow(name),
      recordOf(name, { output_tokens: 110, amount: '0.00288', refunded_amount: '0.00712' }),
    ),
  number: (name) => told(textRow(name), { ...recordOf(name), amount: '28e-4' }),
  missing: (name) => told(textRow(name)),
  refused: (name) => told(errorRow(name, 429), recordOf(name)),
  failed: (name) => told(failedTask(name), recordOf(name, { ...VIDEO_RECORD, result: 'failed' })),
  refunded: (name) =>
    told(failedTask(name), recordOf(name, { ...BACK, refunded_amount: '0.4', reserved_amount: '0.4' })),
  partly: (name) =>
    told(failedTask(name), recordOf(name, { ...BACK, refunded_amount: '0.1', reserved_amount: '0.4' })),
  again: (name) =>
    told(failedTask(name), recordOf(name, { ...BACK, refunded_amount: '0.8', reserved_amount: '0.4' })),
  held: (name) => told(textRow(name), recordOf(name, HELD)),
  cut: (name) =>
    told(cutRow(name), recordOf(name, { output_tokens: 40, amount: '0.00232', refunded_amount: '0.00768' })),
  changed: (name) => ({
    rows: [textRow(name)],
    first: [recordOf(name)],
    last: [recordOf(name, { amount: '0.00308', refunded_amount: '0.00692' })],
  }),
  gone: (name) => ({ rows: [textRow(name)], first: [recordOf(name)], last: [] }),
  late: (name) => ({ rows: [textRow(name)], first: [recordOf(name, HELD)], last: [recordOf(name)] }),
  retried: (name) => ({
    rows: [
      { ...errorRow(`${name}-1`, 502), logical_id: `call-${name}` },
      { ...textRow(`${name}-2`), logical_id: `call-${name}`, attempt: 2 },
    ],
    first: [],
    last: [recordOf(`${name}-1`, PROMPT_ONLY), recordOf(`${name}-2`)],
  }),
  phantom: (name) => ({ rows: [], first: [], last: [recordOf(`nobody-${name}`)] }),
};

/** Two days after the run, so that every deadline has passed. */
function world(kinds: readonly string[], suffix = ''): InputSpec {
  const stories = kinds.map((kind, index) => STORIES[kind]?.(`${kind}-${index}${suffix}`));
  const known = stories.filter((story) => story !== undefined);
  return {
    rows: known.flatMap(({ rows }) => rows),
    sweeps: [
      { records: known.flatMap(({ first }) => first) },
      { records: known.flatMap(({ last }) => last), at_ms: START_MS + 2 * 86_400_000 },
    ],
  };
}

function merged(left: InputSpec, right: InputSpec): InputSpec {
  return {
    rows: [...(left.rows ?? []), ...(right.rows ?? [])],
    sweeps: (left.sweeps ?? []).map((sweep, index) => ({
      ...sweep,
      records: [...sweep.records, ...(right.sweeps?.[index]?.records ?? [])],
    })),
  };
}

function sumOf({ findings }: Reconciliation, bridge: Finding['bridge']): bigint {
  return findings
    .filter((finding) => finding.bridge === bridge && !finding.provisional)
    .reduce((sum, { delta_exact }) => sum + (parseAmount(delta_exact ?? '0') ?? 0n), 0n);
}

const kinds = fc.array(fc.constantFrom(...Object.keys(STORIES)), { minLength: 1, maxLength: 12 });

test('the findings over charges, and over those that are missing, come to the difference of the money', () => {
  fc.assert(
    fc.property(kinds, (chosen) => {
      const result = judge(world(chosen));
      const difference = parseAmount(result.money.difference ?? '0') ?? 0n;
      expect(sumOf(result, 'settled') + sumOf(result, 'absent')).toBe(difference);
    }),
    { numRuns: 60 },
  );
});

test('each story by itself is explained to the digit', () => {
  for (const kind of Object.keys(STORIES)) {
    const result = judge(world([kind]));
    const difference = parseAmount(result.money.difference ?? '0') ?? 0n;
    expect([kind, sumOf(result, 'settled') + sumOf(result, 'absent')]).toEqual([kind, difference]);
  }
});

test('the findings over held reserves come to what is held beyond what is due', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 5 }), kinds, (held, chosen) => {
      const others = chosen.filter((kind) => kind !== 'held');
      const result = judge(world([...others, ...Array<string>(held).fill('held')]));
      expect(sumOf(result, 'held')).toBe(BigInt(held) * 7_200_000_000n);
      expect(parseAmount(result.money.pending ?? '')).toBe(BigInt(held) * 10_000_000_000n);
    }),
    { numRuns: 30 },
  );
});

test('the same calls once more under other ids double every sum and every count', () => {
  fc.assert(
    fc.property(kinds, (chosen) => {
      const once = judge(world(chosen));
      const twice = judge(merged(world(chosen), world(chosen, '-again')));
      for (const bridge of ['settled', 'held', 'absent'] as const) {
        expect(sumOf(twice, bridge)).toBe(2n * sumOf(once, bridge));
      }
      const figures = [
        'expected',
        'charged',
        'difference',
        'pending',
        'refunded',
        'certain_over',
        'open',
      ] as const;
      for (const figure of figures) {
        expect(parseAmount(twice.money[figure] ?? '0')).toBe(
          2n * (parseAmount(once.money[figure] ?? '0') ?? 0n),
        );
      }
      expect(twice.money.records).toBe(2 * once.money.records);
      expect(twice.calls.length).toBe(2 * once.calls.length);
      const single = ({ findings }: Reconciliation): number =>
        findings.filter(({ rows }) => rows === 1).length;
      expect(single(twice)).toBe(2 * single(once));
    }),
    { numRuns: 40 },
  );
});
