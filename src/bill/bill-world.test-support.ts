import { formatDecimal } from '../core/decimal.ts';
import { seededRandom } from '../core/seeded-random.ts';
import { type Bill, checkedBill } from './read/bill.ts';
import type { BillRowFound } from './read/bill-line.ts';
import { BILL_MAPPINGS } from './read/bill-mapping.ts';
import type { ChargeRow } from './weigh/charge-row.ts';

/** A month of calls and the bill that an honest provider makes of them, by code of its own. */
export interface BillWorld {
  readonly rows: readonly ChargeRow[];
  readonly bill: Bill;
}

export interface WorldSettings {
  readonly seed: number;
  readonly days?: number;
  readonly models?: number;
  readonly calls_a_day?: number;
  /** Minutes by which the days of the bill are ahead of UTC. */
  readonly offset?: number;
  /** Zone that the bill tells; null: none. */
  readonly told?: string | null;
  /** Share of the charges that are booked late, and by how many seconds at most. */
  readonly late?: { readonly share: number; readonly most_s: number } | undefined;
  readonly decimals?: number;
  readonly rounding?: 'nearest' | 'down';
  /** What the bill adds to a bucket, in pico USD, before it is rounded. */
  readonly adds?: (bucket: { readonly model: string; readonly day: string; readonly sum: bigint }) => bigint;
}

const START = Date.UTC(2026, 9, 1) / 1000;
const DAY = 86_400;

export const PICO = 10n ** 12n;

export function billWorld(settings: WorldSettings): BillWorld {
  const { days = 30, models = 20, calls_a_day = 25, offset = 0, late, decimals = 2, told = null } = settings;
  const { next: random } = seededRandom(settings.seed);
  const rows: ChargeRow[] = [];
  const sums = new Map<string, bigint>();
  // A day before and after, which a bill of other days cuts into.
  for (let day = -1; day <= days; day += 1) {
    for (let model = 0; model < models; model += 1) {
      for (let call = 0; call < calls_a_day; call += 1) {
        const at = START + day * DAY + Math.floor(random() * DAY);
        const amount = BigInt(Math.floor(1e10 + random() * 4e11));
        rows.push({ model: nameOf(model), from: at, to: at, lo: amount, hi: amount });
        const isLate = late !== undefined && random() < late.share;
        const booked = at + (isLate ? Math.floor(random() * late.most_s) : 0) + offset * 60;
        const key = `${nameOf(model)} ${dayOf(booked)}`;
        sums.set(key, (sums.get(key) ?? 0n) + amount);
      }
    }
  }
  const billed = [...sums].flatMap(([key, sum]) => {
    const [model = '', day = ''] = key.split(' ');
    const inside = day >= dayOf(START) && day < dayOf(START + days * DAY);
    const added = sum + (settings.adds?.({ model, day, sum }) ?? 0n);
    return inside
      ? [{ date: day, model, usd: roundedText(added, decimals, settings.rounding ?? 'nearest') }]
      : [];
  });
  return { rows, bill: dayBill(billed, told) };
}

/** A bill of rows {date, model, usd}. */
export function dayBill(rows: readonly Readonly<Record<string, string>>[], told: string | null = null): Bill {
  const found = rows.map(
    (row, index): BillRowFound => ({ place: { file: 'bill.csv', at: `${index + 2}` }, row }),
  );
  const mapping = { ...BILL_MAPPINGS.read('openrouter-activity'), key: ['date', 'model'] };
  const bucket = { start: { from: 'date' }, model: { from: 'model' }, amount: { from: 'usd' } };
  const { zone: _, ...rest } = mapping;
  const own = { ...rest, ...(told === null ? {} : { zone: told }), kinds: [{ bucket }] };
  return checkedBill({ rows: found, empty: [], torn: [] }, own);
}

function nameOf(model: number): string {
  return `maker/model-${model}`;
}

function dayOf(second: number): string {
  return new Date(second * 1000).toISOString().slice(0, 10);
}

function roundedText(pico: bigint, decimals: number, rounding: 'nearest' | 'down'): string {
  const unit = 10n ** BigInt(12 - decimals);
  const units = rounding === 'down' ? pico / unit : (pico + unit / 2n) / unit;
  return formatDecimal({ digits: units, scale: decimals });
}
