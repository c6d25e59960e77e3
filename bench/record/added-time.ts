import { threadCpuMs } from '../common/thread-cpu.ts';

/** What one call took, from `fetch` to the end of its body, ms. */
interface Taken {
  readonly wall: number;
  /** Of the thread that calls: what others do meanwhile on the machine is not in it. */
  readonly cpu: number;
}

/** Differences of two calls that ran one after the other, ms. */
interface Spread {
  readonly p50: number;
  readonly p99: number;
  readonly mean: number;
}

export interface AddedTime {
  readonly bare_wall_p50: number;
  /** A weighed call less a bare one. */
  readonly added: { readonly wall: Spread; readonly cpu: Spread };
  /** A bare call less another bare one: what the same calls differ by for no reason of ours. */
  readonly floor: { readonly wall: Spread; readonly cpu: Spread };
}

type Way = 'bare' | 'again' | 'weighed';
const ORDERS: readonly (readonly Way[])[] = [
  ['bare', 'again', 'weighed'],
  ['weighed', 'bare', 'again'],
  ['again', 'weighed', 'bare'],
  ['weighed', 'again', 'bare'],
  ['bare', 'weighed', 'again'],
  ['again', 'bare', 'weighed'],
];

/** Calls turn by turn: a bare one, another bare one and a weighed one, in every order alike. */
export async function addedTime(
  calls: { readonly bare: () => Promise<void>; readonly weighed: () => Promise<void> },
  rounds: number,
  warmUp: number,
): Promise<AddedTime> {
  const make = { bare: calls.bare, again: calls.bare, weighed: calls.weighed };
  const taken: Record<Way, Taken[]> = { bare: [], again: [], weighed: [] };
  for (let round = -warmUp; round < rounds; round += 1) {
    for (const way of ORDERS[Math.abs(round) % ORDERS.length] ?? []) {
      const call = await timed(make[way]);
      if (round >= 0) taken[way].push(call);
    }
  }
  const less = (way: Way, what: keyof Taken): Spread =>
    spreadOf(taken[way].map((call, round) => call[what] - (taken.bare[round]?.[what] ?? Number.NaN)));
  return {
    bare_wall_p50: spreadOf(taken.bare.map(({ wall }) => wall)).p50,
    added: { wall: less('weighed', 'wall'), cpu: less('weighed', 'cpu') },
    floor: { wall: less('again', 'wall'), cpu: less('again', 'cpu') },
  };
}

async function timed(call: () => Promise<void>): Promise<Taken> {
  const cpu = threadCpuMs();
  const start = performance.now();
  await call();
  return { wall: performance.now() - start, cpu: threadCpuMs() - cpu };
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99), mean: values.reduce((sum, value) => sum + value, 0) / values.length };
}
