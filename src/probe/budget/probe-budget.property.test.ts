import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Crash, MemoryDisk } from '../../state/memory-disk.test-support.ts';
import { FakeClock, settled } from '../fake-clock.test-support.ts';
import { ProbeBudget } from './probe-budget.ts';

const FILE = '/state/budget.ndjson';
const LIMITS = { hour: 100n, day: 250n };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Act =
  | { readonly kind: 'reserve'; readonly worst: number }
  | { readonly kind: 'settle'; readonly which: number; readonly share: number }
  | {
      readonly kind: 'crash';
      readonly crash: Crash;
      readonly diesIn: number;
      readonly torn: number;
      readonly worst: number;
    }
  | { readonly kind: 'time'; readonly ms: number }
  | { readonly kind: 'fault'; readonly fails: boolean };

const crash: fc.Arbitrary<Crash> = fc.oneof(
  fc.constant<Crash>({ kind: 'kill' }),
  fc.double({ min: 0, max: 1, noNaN: true }).map((kept): Crash => ({ kind: 'power', kept })),
);
const share = fc.double({ min: 0, max: 1, noNaN: true });
const act: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ kind: fc.constant('reserve' as const), worst: fc.integer({ min: 0, max: 60 }) }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('settle' as const), which: fc.nat(50), share }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('crash' as const),
      crash,
      diesIn: fc.integer({ min: 1, max: 9 }),
      torn: share,
      worst: fc.integer({ min: 0, max: 60 }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('time' as const),
      ms: fc.oneof(
        fc.integer({ min: 0, max: 2 * HOUR_MS }),
        fc.integer({ min: -3 * HOUR_MS, max: 0 }),
        fc.integer({ min: -4 * DAY_MS, max: 4 * DAY_MS }),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('fault' as const), fails: fc.boolean() }) },
);

/** A run that was allowed: what it may have cost at most, by the wall clock of that moment. */
interface Allowed {
  readonly id: string;
  readonly at_ms: number;
  cost: bigint;
}

/** A daemon that dies and comes back, and what it allowed in all its lives. */
class Lives {
  readonly clock = new FakeClock();
  readonly allowed: Allowed[] = [];
  disk = new MemoryDisk();
  #budget: ProbeBudget | null = null;
  #ids = 0;

  async do(next: Act): Promise<void> {
    switch (next.kind) {
      case 'reserve':
        return this.#reserve(BigInt(next.worst));
      case 'settle':
        return this.#settle(next.which, next.share);
      case 'time':
        return this.clock.setWall(this.clock.now_ms() + next.ms);
      case 'fault':
        this.disk.fails = (step) => next.fails && step === 'sync';
        return;
      case 'crash':
        return this.#crash(next);
    }
  }

  async #live(): Promise<ProbeBudget> {
    this.#budget ??= await ProbeBudget.open(FILE, LIMITS, this.clock, {
      disk: this.disk,
      kept_hours: 3,
      compacted_lines: 8,
    });
    return this.#budget;
  }

  async #reserve(worst: bigint): Promise<void> {
    const budget = await this.#live();
    this.#ids += 1;
    const id = `r${this.#ids}`;
    const at_ms = this.clock.now_ms();
    if (await budget.reserve(id, worst)) this.allowed.push({ id, at_ms, cost: worst });
  }

  async #settle(which: number, part: number): Promise<void> {
    const run = this.allowed[which % Math.max(1, this.allowed.length)];
    if (run === undefined) return;
    const budget = await this.#live();
    if (!budget.open().some(({ id }) => id === run.id)) return;
    run.cost = BigInt(Math.floor(part * Number(run.cost)));
    await budget.settle(run.id, run.cost);
  }

  /** Dies in one of the next steps of a reservation that compacts, and comes back with what is left. */
  async #crash({ crash: kind, diesIn, torn, worst }: Act & { kind: 'crash' }): Promise<void> {
    await this.#live();
    this.disk.torn = torn;
    this.disk.diesIn = this.disk.steps + diesIn;
    await Promise.race([this.#reserve(BigInt(worst)), this.disk.died]);
    await settled();
    this.disk = this.disk.after(kind);
    this.#budget = null;
  }
}

/** The most that runs which were allowed in one hour, and in one day, may have cost. */
function mostOf(allowed: readonly Allowed[], period_ms: number): bigint {
  const sums = new Map<number, bigint>();
  for (const { at_ms, cost } of allowed) {
    const period = Math.floor(at_ms / period_ms);
    sums.set(period, (sums.get(period) ?? 0n) + cost);
  }
  return [...sums.values()].reduce((most, sum) => (sum > most ? sum : most), 0n);
}

test('whatever is reserved, settled, cut and put off in time, no hour and no day goes above its cap', async () => {
  let allowed = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(act, { minLength: 5, maxLength: 60 }), async (acts) => {
      const lives = new Lives();
      for (const next of acts) {
        await lives.do(next);
        expect(mostOf(lives.allowed, HOUR_MS)).toBeLessThanOrEqual(LIMITS.hour);
        expect(mostOf(lives.allowed, DAY_MS)).toBeLessThanOrEqual(LIMITS.day);
      }
      allowed += lives.allowed.length;
    }),
    { numRuns: 1_000 },
  );
  // A budget that allows nothing keeps every cap.
  expect(allowed).toBeGreaterThan(1_000);
});
