import type { PaidKind } from '../core/call-kind.ts';
import { parseInstant } from '../core/time.ts';

/** What of an agreed entry decides whether it meets another. */
export interface Agreement {
  readonly name: string;
  readonly models: readonly string[];
  readonly endpoints?: readonly PaidKind[] | undefined;
  readonly from?: string | undefined;
  readonly until?: string | undefined;
  readonly factor?: unknown;
  readonly prices?: Readonly<Record<string, unknown>> | undefined;
  readonly rounding?: unknown;
  readonly minimum?: unknown;
}

export interface AgreementOverlap {
  /** Of the later entry. */
  readonly index: number;
  readonly name: string;
  /** Such as `factor` or `prices.input`. */
  readonly what: string;
  /** Name of the earlier entry. */
  readonly first: string;
}

/** Pairs of entries that set the same thing for a model, kind of call and moment that both have. */
export function overlappingAgreements(entries: readonly Agreement[]): readonly AgreementOverlap[] {
  return entries.flatMap((entry, index) =>
    entries.slice(0, index).flatMap((earlier) => {
      const what = settings(entry).find((setting) => settings(earlier).includes(setting));
      return what !== undefined && meet(entry, earlier)
        ? [{ index, name: entry.name, what, first: earlier.name }]
        : [];
    }),
  );
}

function settings({ factor, prices, rounding, minimum }: Agreement): readonly string[] {
  return [
    ...(factor === undefined ? [] : ['factor']),
    ...Object.entries(prices ?? {}).flatMap(([key, price]) => (price === undefined ? [] : [`prices.${key}`])),
    ...(rounding === undefined ? [] : ['rounding']),
    ...(minimum === undefined ? [] : ['minimum']),
  ];
}

function meet(left: Agreement, right: Agreement): boolean {
  const kinds =
    left.endpoints === undefined ||
    (right.endpoints ?? left.endpoints).some((kind) => left.endpoints?.includes(kind));
  const models = left.models.some((one) => right.models.some((other) => patternsMeet(one, other)));
  return (
    kinds &&
    models &&
    moment(left.from, -Infinity) < moment(right.until, Infinity) &&
    moment(right.from, -Infinity) < moment(left.until, Infinity)
  );
}

function moment(text: string | undefined, open: number): number {
  return text === undefined ? open : (parseInstant(text) ?? open);
}

/** True where one id can fit both. */
function patternsMeet(left: string, right: string): boolean {
  const [short, long] = left.length <= right.length ? [left, right] : [right, left];
  if (!short.endsWith('*')) return long.endsWith('*') ? short.startsWith(long.slice(0, -1)) : short === long;
  return long.startsWith(short.slice(0, -1));
}
