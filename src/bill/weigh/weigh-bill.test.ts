import { describe, expect, it } from 'vitest';
import { type BillWorld, billWorld, dayBill, PICO, type WorldSettings } from '../bill-world.test-support.ts';
import type { Bill } from '../read/bill.ts';
import type { BillLine } from '../read/bill-line.ts';
import type { ChargeRow } from './charge-row.ts';
import { type BillTerms, type WeighedBill, weighBill } from './weigh-bill.ts';

const ALWAYS = { start: 0, end: 9_999_999_999 };
const TERMS: BillTerms = { zone: null, most_late_s: 21_600, whole: false, covered: ALWAYS };

function weighed({ bill, rows }: BillWorld, terms: Partial<BillTerms> = {}): WeighedBill {
  return weighBill(bill, rows, { ...TERMS, ...terms });
}

function differing({ buckets }: WeighedBill) {
  return buckets.filter(({ over, under }) => over !== 0n || under !== 0n);
}

/** Within a cent, in units of the bill's scale. */
function cents(amount: bigint, { scale }: WeighedBill): number {
  return Number((amount * 10_000n) / 10n ** BigInt(scale)) / 100;
}

const OFFSETS = [0, 60, 480, -300, -420, 330, 345, 540, -210, 120];
const LATE: readonly WorldSettings['late'][] = [
  undefined,
  { share: 0.01, most_s: 600 },
  { share: 0.2, most_s: 3_000 },
  { share: 0.6, most_s: 10_000 },
];

describe('weighBill', () => {
  const months =
    'is silent on 30 honest months with late rows, other days and rounding to cents, and names the zone';
  it(months, { timeout: 120_000 }, () => {
    const told = Array.from({ length: 30 }, (_, seed) => {
      const offset = OFFSETS[seed % OFFSETS.length] ?? 0;
      const late = LATE[seed % LATE.length];
      const world = billWorld({
        seed,
        offset,
        late,
        rounding: seed % 3 === 0 ? 'down' : 'nearest',
        models: 8,
      });
      const found = weighed(world);
      return {
        offset,
        zone: found.reading.zone.utc(0) / -60,
        how: found.how,
        wrong: differing(found).length,
        open: found.buckets.filter(({ verdict }) => verdict !== 'agrees').length,
        late: found.reading.late_s,
        rounding: found.reading.rounding,
      };
    });
    expect(told.filter(({ wrong }) => wrong > 0)).toEqual([]);
    expect(told.filter(({ offset, zone }) => offset !== zone)).toEqual([]);
  });

  it.each([1n, -1n])('finds an error of 1 in 100 in one of 600 model-days: %s', (sign) => {
    for (const seed of [1, 2, 3]) {
      const at = { model: 'maker/model-7', day: `2026-10-1${seed}` };
      let planted = 0n;
      const world = billWorld({
        seed,
        offset: 60 * seed,
        adds: ({ model, day, sum }) => {
          if (model !== at.model || day !== at.day) return 0n;
          planted = (sign * sum) / 100n;
          return planted;
        },
      });
      const found = weighed(world);
      expect(found.buckets).toHaveLength(600);
      const wrong = differing(found);
      expect(
        wrong.map(({ model, start }) => [model, new Date(start * 1000).toISOString().slice(0, 10)]),
      ).toEqual([[at.model, at.day]]);
      const [bucket] = wrong;
      const told = bucket === undefined ? 0n : bucket.over - bucket.under;
      expect(Math.abs(cents(told, found) - Number(planted / 10n ** 6n) / 1e4)).toBeLessThanOrEqual(1);
    }
  });

  it('sets a told zone aside only where the sums contradict it', () => {
    const honest = weighed(billWorld({ seed: 5, models: 4, told: 'UTC' }));
    expect([honest.how, honest.reading.zone.name]).toEqual(['told', 'UTC']);
    const shifted = weighed(billWorld({ seed: 5, models: 4, told: 'UTC', offset: 480 }));
    expect([shifted.how, shifted.reading.zone.name, differing(shifted)]).toEqual(['inferred', '+08:00', []]);
  });

  it('names all zones that fit, and accuses only where each of them shows it', () => {
    // One charge a day, at noon UTC: midnight may be anywhere near.
    const rows = Array.from({ length: 5 }, (_, day) => charge(day, 43_200, 2n));
    const bill = (third: string) => days(['2', '2', third, '2', '2']);
    const agreed = weighed({ rows, bill: bill('2') });
    expect(agreed.how).toBe('several');
    expect(agreed.fitting.map(({ name }) => name)).toContain('+08:00');
    expect(agreed.fitting.map(({ name }) => name)).not.toContain('+13:00');
    const wrong = weighed({ rows, bill: bill('2.02') }, { whole: true });
    expect(differing(wrong).map(({ start, over }) => [start, over])).toEqual([
      [DAY_START + 2 * 86_400, over('0.015', wrong)],
    ]);
  });

  it('reads the days of a region, summer time too, where one is declared', () => {
    // 25 October 2026 has 25 hours in Berlin: from 22:00 UTC of the day before to 23:00 UTC.
    const at = (text: string): number => Date.parse(text) / 1000;
    const rows = ['2026-10-24T22:30:00Z', '2026-10-25T22:30:00Z', '2026-10-25T23:30:00Z'].map(
      (text, index) => {
        const amount = BigInt(index + 1) * PICO;
        return { model: 'm', from: at(text), to: at(text), lo: amount, hi: amount };
      },
    );
    const bill = dayBill([
      { date: '2026-10-25', model: 'm', usd: '3.00' },
      { date: '2026-10-26', model: 'm', usd: '3.00' },
    ]);
    const found = weighed({ rows, bill }, { zone: 'Europe/Berlin', whole: true });
    expect([found.how, found.buckets.map(({ verdict }) => verdict)]).toEqual([
      'declared',
      ['agrees', 'agrees'],
    ]);
    expect(differing(weighed({ rows, bill }, { zone: '+02:00', whole: true, most_late_s: 0 }))).toHaveLength(
      2,
    );
  });

  it('takes a charge that is missing on one day and billed on the next for late, and no more than that', () => {
    const rows = Array.from({ length: 6 }, (_, day) => [
      charge(day, 40_000, 5n),
      charge(day, 85_800, 1n),
    ]).flat();
    const bill = days(['6', '5', '7', '6', '6', '6']);
    const found = weighed({ rows, bill }, { zone: 'UTC', whole: true });
    expect([found.late_edges, found.reading.late_s, differing(found)]).toEqual([1, 900, []]);
    const declared = weighed({ rows, bill }, { zone: 'UTC', whole: true, most_late_s: 300 });
    expect(differing(declared).map(({ over, under }) => [over > 0n, under > 0n])).toEqual([
      [false, true],
      [true, false],
    ]);
    const lost = weighed({ rows, bill: days(['6', '5', '6', '6', '6', '6']) }, { zone: 'UTC', whole: true });
    expect(differing(lost).map(({ start, under }) => [start, under > 0n])).toEqual([
      [DAY_START + 86_400, true],
    ]);
  });

  it('bills nothing of what it cannot know: charges without bounds, and days that are not known whole', () => {
    const rows = [
      ...Array.from({ length: 4 }, (_, day) => charge(day, 43_200, 2n)),
      { ...charge(1, 43_300, 0n), hi: null },
    ];
    const covered = { start: DAY_START, end: DAY_START + 3 * 86_400 };
    const found = weighed({ rows, bill: days(['2', '9', '2', '3']) }, { zone: 'UTC', covered });
    expect(found.buckets.map(({ verdict, open }) => [verdict, open])).toEqual([
      ['agrees', 0n],
      ['cant_be_told', 7n * 10n ** BigInt(found.scale)],
      ['agrees', 0n],
      ['cant_be_told', 10n ** BigInt(found.scale)],
    ]);
    const unknown = found.buckets.filter(({ why }) => why === 'not every charge in it is known');
    expect(unknown.map(({ start }) => (start - DAY_START) / 86_400)).toEqual([1, 3]);
  });

  it('tells apart what is of no model, and a model that no call names', () => {
    const rows = [charge(0, 43_200, 2n)];
    const bill = dayBill([
      { date: '2026-10-01', model: 'm', usd: '2.00' },
      { date: '2026-10-01', model: 'ghost', usd: '0.50' },
    ]);
    const some = weighed({ rows, bill }, { zone: 'UTC' });
    expect(some.unassigned.map(({ model }) => model)).toEqual(['ghost']);
    expect(some.buckets.map(({ model, verdict }) => [model, verdict])).toEqual([['m', 'agrees']]);
    const all = weighed({ rows, bill }, { zone: 'UTC', whole: true });
    expect([all.unassigned, all.buckets.map(({ model, verdict }) => [model, verdict])]).toEqual([
      [],
      [
        ['m', 'agrees'],
        ['ghost', 'over'],
      ],
    ]);
  });

  it('adds up to the digit, whatever it finds: billed = ours + over − under + open', () => {
    for (let seed = 0; seed < 20; seed += 1) {
      const adds: WorldSettings['adds'] = ({ day, sum }) =>
        Number(day.slice(8)) % 7 === seed % 7 ? (seed % 4 < 2 ? sum / 50n : -sum / 50n) : 0n;
      const late = { share: 0.1, most_s: 2_000 };
      const found = weighed(billWorld({ seed, models: 3, days: 9, late, adds }), { whole: seed % 2 === 0 });
      for (const { billed, ours, over, under, open } of found.buckets)
        expect(ours + over - under + open).toBe(billed);
    }
  });

  it('weighs 100,000 buckets', { timeout: 120_000 }, () => {
    const hours = 1_000;
    const models = Array.from({ length: 100 }, (_, index) => `m-${index}`);
    const rows = models.flatMap((model) =>
      Array.from({ length: hours }, (_, hour) => ({
        ...charge(0, hour * 3_600 + 1_800, BigInt(1 + (hour % 7))),
        model,
      })),
    );
    const lines = models.flatMap((model) =>
      Array.from({ length: hours }, (_, hour): BillLine => {
        const start = DAY_START + hour * 3_600;
        const more = model === 'm-7' && hour === 500 ? 5n : 0n;
        const amount = { digits: BigInt(100 * (1 + (hour % 7))) + more, scale: 2 };
        return {
          place: { file: 'x', at: '1' },
          start,
          end: start + 3_600,
          model,
          amount,
          currency: 'USD',
          tokens: null,
          requests: null,
          item: '',
          key: `${model} ${hour}`,
        };
      }),
    );
    const spans = Array.from({ length: hours }, (_, hour) => ({
      start: DAY_START + hour * 3_600,
      end: DAY_START + (hour + 1) * 3_600,
    }));
    const bill = { ...days(['1']), lines, spans };
    const found = weighed({ rows, bill }, { zone: null });
    expect([found.buckets.length, found.telling, found.scope]).toEqual([100_000, 100_000, 'habit']);
    expect(differing(found).map(({ model, start }) => [model, (start - DAY_START) / 3_600])).toEqual([
      ['m-7', 500],
    ]);
  });
});

const DAY_START = Date.UTC(2026, 9, 1) / 1000;

function charge(day: number, second: number, usd: bigint): ChargeRow {
  const at = DAY_START + day * 86_400 + second;
  return { model: 'm', from: at, to: at, lo: usd * PICO, hi: usd * PICO };
}

/** A bill of model m, from 1 October on. */
function days(usd: readonly string[]): Bill {
  return dayBill(
    usd.map((amount, day) => ({
      date: new Date((DAY_START + day * 86_400) * 1000).toISOString().slice(0, 10),
      model: 'm',
      usd: amount.includes('.') ? amount : `${amount}.00`,
    })),
  );
}

/** USD in units of the bill. */
function over(usd: string, { scale }: WeighedBill): bigint {
  const [whole = '0', fraction = ''] = usd.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
}
