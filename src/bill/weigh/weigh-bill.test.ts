import { describe, expect, it } from 'vitest';
import { type BillWorld, billWorld, type WorldSettings } from '../bill-world.test-support.ts';
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
  it('is silent on 30 honest months with late rows, other days and rounding to cents, and names the zone', () => {
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

  it.each([1n, -1n])('finds an error of 1 %% in one of 600 model-days, of sign %s', (sign) => {
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
});
