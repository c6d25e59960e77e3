import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { UsageRecord } from '../../../contracts/interface.ts';
import type { JournalFault } from '../../../contracts/journal.ts';
import { formatAmount, type PicoUsd, parseAmount } from '../../../core/amount.ts';
import { startTestGateway, type TestGateway } from '../../parts/gateway.test-support.ts';
import { FAULT_HEADER } from '../../requests/inject-faults.ts';
import { journalOf } from '../fault-cases.test-support.ts';
import { BILLING_FAULTS } from './billing-faults.ts';
import { billOf, START, type TrialEnd, tryCharge } from './charge-trial.test-support.ts';

const ENDS: readonly TrialEnd[] = ['image', 'failed image', 'text', 'cut text', 'failed text'];
const ANY = { model: 'm', keyFingerprint: null, keyOrdinal: 0, stream: false };

/** Where its own parameters alone would not show what a fault does. */
const VARIANTS: Readonly<Record<string, readonly Record<string, string>[]>> = {
  'bill.double_charge': [{}, { variant: 'double_price' }],
  'bill.negative': [{}, { variant: 'input_tokens' }],
  'bill.state_regression': [{}, { variant: 'pending' }, { variant: 'gone' }],
  'bill.wrong_rate': [{}, { variant: 'image_dearest' }],
  'bill.estimated_high': [{}, { variant: 'cut' }],
  'bill.amount_rounding': [{ variant: 'six_places' }],
  'bill.min_charge': [{ usd: '1' }],
  'bill.charge_on_abort': [{}, { variant: 'below_one_token' }],
};

/** Charged, and the answer is another one. */
const WITHHELD: ReadonlySet<string> = new Set([
  'bill.charge_rejected',
  'bill.charge_server_error',
  'bill.retry_double_charge',
]);

const SUBJECTS = {
  image: { ...ANY, endpoint: '/v1/images/generations', kind: 'image' },
  text: { ...ANY, endpoint: '/v1/messages', kind: 'messages' },
} as const;

/** Every fault of charges that a call of this end arms. */
function chargeFaults(end: TrialEnd) {
  const subject = end.endsWith('image') ? SUBJECTS.image : SUBJECTS.text;
  return BILLING_FAULTS.filter(({ applies }) => applies(subject)).flatMap(({ id: fault }) =>
    (VARIANTS[fault] ?? [{}]).map((parameters) => ({ fault, parameters, when: { probability: 1 } })),
  );
}

type Entry = ReturnType<typeof chargeFaults>[number];

function pairsFor(end: TrialEnd): (readonly [Entry, Entry])[] {
  const all = chargeFaults(end);
  return all.flatMap((first) =>
    all.filter(({ fault }) => fault !== first.fault).map((second) => [first, second] as const),
  );
}

function deltaOf(faults: readonly JournalFault[]): PicoUsd {
  return faults.reduce((sum, { delta }) => sum + (parseAmount(delta) ?? 0n), 0n);
}

/** What journal and account say of two faults on one call, and what they should say by its records. */
function judged(end: TrialEnd, pair: readonly Entry[]) {
  const tried = tryCharge(end, pair);
  const { faults, call, honest, reserve, records, misfiled, account, leastHeld } = tried;
  const of = (id: string): JournalFault[] => faults.filter(({ fault }) => fault === id);
  const bill = billOf(records);
  // Who was told of a refusal or a failure owes nothing: the whole bill is too much.
  const due = faults.some(({ fault }) => WITHHELD.has(fault)) ? 0n : honest;
  const leaked = of('bill.reserve_leak').length > 0 ? reserve : 0n;
  const held = records
    .filter(({ status }) => status === 'pending' || status === 'unknown')
    .reduce((sum, { reserved }) => sum + reserved, leaked);
  const spent = bill - held + leaked - deltaOf(of('bill.duplicate_record')) + billOf(misfiled);
  const state = (figures: Readonly<Record<'delta' | 'amount' | 'balance' | 'held' | 'least', PicoUsd>>) => ({
    pair: `${end}: ${pair.map(({ fault, parameters }) => `${fault} ${JSON.stringify(parameters)}`).join(', ')}`,
    ...Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, formatAmount(value)])),
  });
  return {
    faults,
    is: state({
      delta: deltaOf(faults),
      amount: parseAmount(call.amount) ?? 0n,
      balance: account.balance,
      held: account.reserved,
      least: leastHeld < 0n ? leastHeld : 0n,
    }),
    should: state({
      delta: bill - due,
      amount: bill - deltaOf(of('bill.phantom_record')),
      // The honest call before took its price too.
      balance: START - honest - spent,
      held,
      least: 0n,
    }),
  };
}

describe('two faults on one call, in every order', () => {
  test.each(ENDS)('%s: the deltas add up to what the records cost too much', (end) => {
    const pairs = pairsFor(end);
    expect(pairs.length).toBeGreaterThan(700);
    const wrong = pairs
      .map((pair) => judged(end, pair))
      .filter(({ is, should }) => JSON.stringify(is) !== JSON.stringify(should));
    expect(wrong.map(({ is }) => is)).toEqual(wrong.map(({ should }) => should));
  });

  test('every fault of charges acts in one of these calls', () => {
    const tried = ENDS.flatMap((end) =>
      chargeFaults(end).map((entry) => ({
        fault: entry.fault,
        lines: tryCharge(end, [entry]).faults.map(({ fault }) => fault),
      })),
    );
    const fired = new Set(tried.flatMap(({ lines }) => lines));
    const all = [...new Set(tried.map(({ fault }) => fault))];
    // The models of these calls are not free, and have no such price lines; none of them asks the prompt cache.
    expect(all.filter((fault) => !fired.has(fault))).toEqual([
      'bill.free_model_charged',
      'bill.reasoning_double_count',
      'bill.tier_not_applied',
      'bill.service_tier_price',
      'bill.tool_surcharge',
      'cache.withhold',
    ]);
  });

  test.each(['bill.missing_record', 'bill.wrong_key', 'bill.late_record'])(
    'after %s there is no record to put wrong',
    (taken) => {
      const after = pairsFor('text').filter(
        ([first, second]) => first.fault === taken && !WITHHELD.has(second.fault),
      );
      expect(after.length).toBeGreaterThan(30);
      for (const pair of after)
        expect(tryCharge('text', pair).faults.map(({ fault }) => fault)).toEqual([taken]);
    },
  );
});

describe('asked for by header', () => {
  const records = z.object({ data: z.array(z.custom<UsageRecord>((value) => typeof value === 'object')) });
  const PATIENCE = { interval: 5 };
  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(() => gateway.running.close());

  /** One call of 0.042 USD with a key of its own; `said` reads what became of it. */
  async function call(path: string, faults: string) {
    const { userId, apiKey } = await gateway.newKey({ balance_usd: '50' });
    const authorization = `Bearer ${apiKey}`;
    const body = { model: 'lumen-image', prompt: 'a boat', quality: 'medium', size: '1024x1024' };
    const { headers } = await gateway.call('POST', path, body, { authorization, [FAULT_HEADER]: faults });
    const own = ({ request_id }: { readonly request_id: string }): boolean =>
      request_id === headers.get('x-request-id');
    return async () => {
      const { calls, faults: fired } = await journalOf(gateway);
      const usage = await gateway.call('GET', '/v1/usage/requests', undefined, { authorization });
      const account = await gateway.control('GET', `/accounts/${userId}`);
      return {
        calls: calls.filter(own).map(({ amount }) => amount),
        fired: fired.filter(own).map(({ fault, delta }) => [fault, delta]),
        records: records.parse(usage.json).data.map((record) => [record.billing_status, record.amount]),
        account: account.json,
      };
    };
  }

  test.each<[first: string, second: string, fired: string[][], amount: string | null, balance: string]>([
    ['missing_record', 'multiplier_hidden', [['missing_record', '-0.042']], null, '50'],
    ['missing_record', 'late_record', [['missing_record', '-0.042']], null, '50'],
    ['missing_record', 'wrong_key', [['missing_record', '-0.042']], null, '50'],
    ['late_record', 'missing_record', [['late_record', '0']], '0.042', '49.958'],
    ['late_record', 'pending_forever', [['late_record', '0']], '0.042', '49.958'],
    ['wrong_key', 'multiplier_hidden', [['wrong_key', '-0.042']], null, '49.958'],
    ['wrong_key', 'late_record', [['wrong_key', '-0.042']], null, '49.958'],
    ['state_regression', 'missing_record', [['missing_record', '-0.042']], null, '50'],
    [
      'state_regression',
      'multiplier_hidden',
      [
        ['multiplier_hidden', '0.0042'],
        ['state_regression', '0.00462'],
      ],
      '0.05082',
      '49.94918',
    ],
  ])('%s, %s', async (first, second, fired, amount, balance) => {
    const asked = [first, second].map((name) =>
      /^late|^state/.test(name) ? `bill.${name}; after_ms=0` : `bill.${name}`,
    );
    const said = await call('/v1/images/generations', asked.join(', '));
    await expect.poll(said, PATIENCE).toMatchObject({
      calls: [amount ?? '0'],
      fired: fired.map(([name, delta]) => [`bill.${name}`, delta]),
      records: amount === null ? [] : [['settled', amount]],
      account: { balance_usd: balance, reserved_usd: '0' },
    });
  });

  test.each<[faults: string, fired: string[][], bill: string]>([
    // Refused, carried out, and given back: nothing was charged wrongly.
    ['bill.charge_rejected, sem.task_failed_200', [['sem.task_failed_200', '0']], '0'],
    // The answer was wrong whatever became of the charge.
    [
      'http.500; charge=charged, sem.task_failed_200',
      [
        ['sem.task_failed_200', '0'],
        ['http.500', '0'],
      ],
      '0',
    ],
    // Nothing is due for it, so the deltas add up to the whole bill.
    [
      'http.500; charge=charged, bill.double_charge',
      [
        ['http.500', '0.042'],
        ['bill.double_charge', '0.042'],
      ],
      '0.084',
    ],
    [
      'bill.charge_rejected, bill.missing_record',
      [
        ['bill.charge_rejected', '0.042'],
        ['bill.missing_record', '-0.042'],
      ],
      '0',
    ],
  ])('an image job: %s', async (faults, fired, bill) => {
    const said = await call('/v1/images/generations/jobs', faults);
    await expect.poll(said, PATIENCE).toMatchObject({ calls: [bill], fired, account: { reserved_usd: '0' } });
  });
});
