import { expect, test } from 'vitest';
import { type BillingTerms, NO_TERMS } from '../../contracts/billing-terms.ts';
import {
  findingOf,
  judgedCallOf,
  moneyOf,
  reconciliationOf,
} from '../../contracts/reconciliation.test-support.ts';
import type { RecordFacts } from '../../contracts/reconciliation.ts';
import { formatAmount } from '../../core/amount.ts';
import {
  brief,
  cutRow,
  errorRow,
  imageRow,
  judge,
  recordOf,
  START_MS,
  textRow,
  videoRow,
} from '../../reconcile/reconcile.test-support.ts';
import { claimAmount, claimable } from './claimable.ts';

type Spec = Parameters<typeof judge>[0];

/** Request, amount and what of it is held, of every claim; and what is named apart. */
function claimed(spec: Spec) {
  const reconciliation = judge(spec);
  const { claims, apart } = claimable('run', reconciliation);
  return {
    said: brief(reconciliation),
    claims: claims.map(({ claim }) =>
      [claim.part, claim.class, claim.request_id, claim.amount, claim.held].join(' '),
    ),
    apart: apart.map(({ what, lo, hi }) => `${what} ${lo}..${hi}`),
    ids: claims.map(({ claim }) => claim.id),
    words: apart.map(({ words }) => words),
    standing: claims.map(({ claim }) => claim.standing),
    certain: reconciliation.money.certain_over,
    sum: formatAmount(
      claims.reduce((sum, { claim }) => sum + claimAmount(claim.amount) - claimAmount(claim.held), 0n),
    ),
  };
}

const LATE = START_MS + 3 * 86_400_000;

test('a clean bill claims nothing', () => {
  const { claims, apart } = claimed({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a')] }] });
  expect({ claims, apart }).toEqual({ claims: [], apart: [] });
});

test('a charge made twice, and one that is too high, are claimed by what is too much', () => {
  const { claims, certain, sum, standing, apart } = claimed({
    rows: [textRow('a'), textRow('b')],
    sweeps: [
      {
        records: [
          recordOf('a'),
          recordOf('a', { id: 'rec-a2' }),
          recordOf('b', { amount: '0.0030', refunded_amount: '0.007' }),
        ],
      },
    ],
  });
  expect(claims).toEqual(['charge duplicate_charge req-a 0.0028 0', 'charge amount_mismatch req-b 0.0002 0']);
  expect(sum).toBe(certain);
  expect(standing).toEqual(['0.0056', '0.003']);
  expect(apart).toEqual([]);
});

test('what can only be bounded is named apart, and claimed with no part', () => {
  const { claims, apart } = claimed({
    rows: [cutRow('c', { prompt_bytes: 100 })],
    sweeps: [{ records: [recordOf('c', { amount: '5', reserved_amount: '5', refunded_amount: '0' })] }],
  });
  expect(claims).toEqual([]);
  expect(apart.join()).toMatch(/^bounded 4\.\d+\.\.\d\.?\d*$/);
});

test('what is provisional is not claimed before its deadline; a held reserve is claimed behind it', () => {
  const pending = recordOf('v', {
    model: 'video-1',
    billing_status: 'pending',
    amount: '0',
    reserved_amount: '0.4',
    refunded_amount: '0',
    input_tokens: 0,
    output_tokens: 0,
  });
  const rows = [videoRow('v', { outcome: 'task_lost', error_type: 'task_failed' })];
  const early = claimed({ rows, sweeps: [{ records: [pending] }] });
  expect(early.claims).toEqual([]);
  expect(early.apart).toEqual(['provisional 0.4..0.4']);
  expect(early.words.join()).toMatch(/; can be claimed from 2026-11-\d\dT[\d:.]+Z$/);
  const late = claimed({ rows, sweeps: [{ records: [pending], at_ms: LATE }] });
  expect(late.claims).toEqual(['charge reservation_leak req-v 0.4 0.4']);
  expect(late.standing).toEqual(['0.4']);
});

test('what is charged too little is named and not set off', () => {
  const { claims, apart } = claimed({
    rows: [textRow('a'), textRow('b')],
    sweeps: [
      {
        records: [
          recordOf('a', { amount: '0.0020', refunded_amount: '0.008' }),
          recordOf('b', { amount: '0.0030', refunded_amount: '0.007' }),
        ],
      },
    ],
  });
  expect(claims).toEqual(['charge amount_mismatch req-b 0.0002 0']);
  expect(apart).toEqual(['under 0.0008..0.0008']);
});

test('nothing is claimed from a row whose charge is what is due, whatever is said of its reserve', () => {
  const { claims, certain } = claimed({
    rows: [textRow('a')],
    sweeps: [{ records: [recordOf('a', { refunded_amount: '0.0001' })] }],
  });
  expect({ claims, certain }).toEqual({ claims: [], certain: '0' });
  const money = {
    charged: '0.0125',
    expected: '0.0125',
    difference: '0',
    certain_over: '0',
    certain_under: '0',
    open: '0',
  };
  const call = judgedCallOf({ charged: '0.0125', money });
  const total = { money: moneyOf({ certain_over: '0' }), findings: [findingOf()], calls: [call] };
  expect(claimable('run', reconciliationOf(total)).claims).toEqual([]);
});

test('while a term is told by nobody a claim is a question', () => {
  const demanded = (readings: Partial<BillingTerms['readings']>) => {
    const terms = { readings: { ...NO_TERMS.readings, ...readings } };
    const records = [recordOf('a'), recordOf('a', { id: 'rec-a2' })];
    return claimable('run', judge({ rows: [textRow('a')], sweeps: [{ records }], terms })).claims.map(
      ({ claim }) => claim.demanded,
    );
  };
  expect(demanded({})).toEqual([false]);
  expect(demanded({ amount: 'net' })).toEqual([true]);
});

test('a refused call that was charged, and a record without any call', () => {
  const { claims, certain, sum } = claimed({
    rows: [errorRow('r', 400), imageRow('i')],
    sweeps: [
      {
        records: [
          recordOf('r'),
          recordOf('i', {
            model: 'image-1',
            amount: '0.02',
            reserved_amount: '0.02',
            refunded_amount: '0',
            input_tokens: 0,
            output_tokens: 0,
          }),
          recordOf('ghost'),
        ],
        at_ms: LATE,
      },
    ],
  });
  expect(claims.toSorted()).toEqual([
    'charge charged_on_rejected req-r 0.0028 0',
    'charge phantom_record req-ghost 0.0028 0',
  ]);
  expect(sum).toBe(certain);
});

test('the same request is the same claim in an audit of its month', () => {
  const records = [recordOf('a', { amount: '0.0030', refunded_amount: '0.007' })];
  const run = claimed({ rows: [textRow('a')], sweeps: [{ records }] });
  const month = claimed({ basis: 'records', sweeps: [{ records }] });
  expect(month.claims).toEqual(run.claims);
  expect(month.ids).toEqual(run.ids);
});

test('a pairing that is only likely, and a weak finding, claim nothing; no row is claimed beyond what is certain', () => {
  const record: RecordFacts = {
    id: 'u1',
    request_id: 'r1',
    created_at: null,
    model: 'm',
    result: 'completed',
    billing_status: 'settled',
    amount: { text: '0.025' },
    reserved: { text: '0.025' },
    refunded: { text: '0' },
    input: null,
    output: null,
    cache_read: null,
    cache_write: null,
    usage_estimated: false,
    pricebook_id: '',
    pricing_version: '',
  };
  const money = {
    charged: '0.025',
    expected: '0.0125',
    difference: '0.0125',
    certain_over: '0.0125',
    certain_under: '0',
    open: '0',
  };
  const call = judgedCallOf({ record, records: [record], money });
  const total = {
    money: moneyOf({ certain_over: '0.0125' }),
    findings: [findingOf()],
  };
  const sure = claimable('run', reconciliationOf({ ...total, calls: [call] }));
  expect(sure.claims.map(({ claim }) => claim.amount)).toEqual(['0.0125']);
  const likely = claimable('run', reconciliationOf({ ...total, calls: [{ ...call, match: 'assignment' }] }));
  expect(likely.claims).toEqual([]);
  expect(likely.apart.map(({ what, hi }) => `${what} ${hi}`)).toEqual(['weak 0.0125']);
  const weak = claimable(
    'run',
    reconciliationOf({ ...total, findings: [findingOf({ confidence: 'weak' })], calls: [call] }),
  );
  expect(weak.claims).toEqual([]);
  for (const unfit of [
    { confidence: 'bounded' as const },
    { warrant: { kind: 'habit' as const, of: 'amounts that records follow' } },
  ]) {
    const left = claimable(
      'run',
      reconciliationOf({ ...total, findings: [findingOf(unfit)], calls: [call] }),
    );
    expect(left.claims).toEqual([]);
    expect(left.apart.map(({ what, hi }) => `${what} ${hi}`)).toEqual(['bounded 0.0125']);
  }
  const twice = claimable(
    'run',
    reconciliationOf({ ...total, findings: [findingOf(), findingOf({ id: 'f2' })], calls: [call] }),
  );
  expect(twice.claims.map(({ claim }) => claim.amount)).toEqual(['0.0125']);
  const part = findingOf({ id: 'f2', delta_exact: '0.005', delta_min: '0.005', delta_max: '0.005' });
  const partly = claimable(
    'run',
    reconciliationOf({ ...total, findings: [findingOf({ provisional: true }), part], calls: [call] }),
  );
  expect(partly.claims).toEqual([]);
  const uncaused = claimable('run', reconciliationOf({ ...total, findings: [], calls: [call] }));
  expect(uncaused.claims).toEqual([]);
  expect(uncaused.apart.map(({ what, hi }) => `${what} ${hi}`)).toEqual(['uncaused 0.0125']);
});

test('what is accepted is claimed only once the acceptance is over; a group stands for its members', () => {
  const finding = findingOf({ group: 'g1' });
  const group = findingOf({ id: 'g1', rows: 2, bridge: 'none', class: 'group_ratio_wrong' });
  const money = {
    charged: '0.025',
    expected: '0.0125',
    difference: '0.0125',
    certain_over: '0.0125',
    certain_under: '0',
    open: '0',
  };
  const of = (cause: string, state: 'holds' | 'expired' | 'exceeded') => {
    const terms = { cause, up_to_usd: '1', until: '2027-01-01', by: 'Ada', why: 'known' };
    return claimable(
      'run',
      reconciliationOf({
        money: moneyOf({ certain_over: '0.0125' }),
        findings: [finding, group],
        calls: [judgedCallOf({ charged: '0.025', money })],
        accepted: [{ ...terms, state, findings: 1, usd: '0.0125' }],
      }),
    );
  };
  for (const cause of ['group_ratio_wrong', 'g1']) {
    const held = of(cause, 'holds');
    expect(held.claims).toEqual([]);
    expect(held.apart.map(({ what, hi }) => `${what} ${hi}`)).toEqual(['accepted 0.0125']);
    for (const state of ['expired', 'exceeded'] as const) {
      const over = of(cause, state);
      expect(over.claims.map(({ claim }) => claim.amount)).toEqual(['0.0125']);
      expect(over.apart).toEqual([]);
    }
  }
  expect(of('duplicate_charge', 'holds').claims).toHaveLength(1);
});

test('of random bills the claims come to what their rows are certainly charged too much, to the digit', () => {
  const below = drawn(20261124);
  for (let bill = 0; bill < 40; bill += 1) {
    const names = ['a', 'b', 'c', 'd', 'e'].slice(0, 1 + below(5));
    const records = names.flatMap((name) => {
      const charged = 2_800_000_000n + BigInt(below(3) - 1) * BigInt(below(2_000_000_000));
      const amount = formatAmount(charged);
      const refunded_amount = formatAmount(10_000_000_000n - charged);
      const record = recordOf(name, { amount, refunded_amount });
      return below(3) === 0 ? [record, { ...record, id: `rec-${name}2` }] : [record];
    });
    const made = judge({ rows: names.map((name) => textRow(name)), sweeps: [{ records }] });
    const { claims } = claimable('run', made);
    for (const { claim, row } of claims) {
      expect(row.call?.charged).not.toBe(row.call?.expected);
      expect(claimAmount(claim.amount) - claimAmount(claim.held)).toBe(
        claimAmount(row.money?.certain_over ?? null),
      );
    }
    const sum = claims.reduce((total, { claim }) => total + claimAmount(claim.amount), 0n);
    expect(formatAmount(sum)).toBe(made.money.certain_over);
  }
});

/** Whole numbers below a bound, the same in every run. */
function drawn(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}
