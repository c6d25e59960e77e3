import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { BUDGET_PERIODS, type BudgetPeriod } from '../../core/budget-period.ts';
import { formatInstant } from '../../core/time.ts';
import { FakeClock, settled } from '../../probe/fake-clock.test-support.ts';
import { type Crash, MemoryDisk } from '../memory-disk.test-support.ts';
import { TargetBudget } from './target-budget.ts';

const FILE = '/state/budget.ndjson';
const LIMITS = { hour: 100n, day: 150n, month: 200n };
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Act =
  | { readonly kind: 'reserve'; readonly writer: number; readonly worst: number }
  | { readonly kind: 'at once'; readonly worst: number; readonly other: number }
  | { readonly kind: 'settle'; readonly writer: number; readonly which: number; readonly share: number }
  | {
      readonly kind: 'crash';
      readonly writer: number;
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
/** The daemon, and a command that runs beside it. */
const WRITERS = [0, 1] as const;
const writer = fc.constantFrom(...WRITERS);
const MOST = 60;
const worst = fc.integer({ min: 0, max: MOST });
/** A clock that is set, also back. */
const SET = fc.oneof(
  fc.integer({ min: 0, max: 2 * HOUR_MS }),
  fc.integer({ min: -3 * HOUR_MS, max: 0 }),
  fc.integer({ min: -4 * DAY_MS, max: 4 * DAY_MS }),
  fc.integer({ min: -20 * DAY_MS, max: 40 * DAY_MS }),
);
/** One that goes on: through months, which fill up. */
const ONWARD = fc.integer({ min: 0, max: 2 * DAY_MS });
const actsWith = (ms: fc.Arbitrary<number>): fc.Arbitrary<Act> =>
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.record({ kind: fc.constant('reserve' as const), writer, worst }),
    },
    {
      weight: 3,
      arbitrary: fc.record({ kind: fc.constant('at once' as const), worst, other: worst }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ kind: fc.constant('settle' as const), writer, which: fc.nat(50), share }),
    },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant('crash' as const),
        writer,
        crash,
        diesIn: fc.integer({ min: 1, max: 9 }),
        torn: share,
        worst,
      }),
    },
    { weight: 4, arbitrary: fc.record({ kind: fc.constant('time' as const), ms }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('fault' as const), fails: fc.boolean() }) },
  );

/** A run that was allowed: what it may have cost at most, by the wall clock of that moment. */
interface Allowed {
  readonly id: string;
  readonly at_ms: number;
  cost: bigint;
}

interface Process {
  readonly disk: MemoryDisk;
  budget: TargetBudget | null;
}

/** Two processes that die and come back, and what they allowed in all their lives. */
class Lives {
  readonly clock = new FakeClock();
  readonly allowed: Allowed[] = [];
  readonly #settled = new Set<string>();
  #processes = processesOn(new MemoryDisk());
  #ids = 0;

  async do(next: Act): Promise<void> {
    switch (next.kind) {
      case 'reserve':
        return this.#reserve(this.#process(next.writer), BigInt(next.worst));
      case 'at once':
        await Promise.all(
          [next.worst, next.other].map((each, index) => this.#reserve(this.#process(index), BigInt(each))),
        );
        return;
      case 'settle':
        return this.#settle(this.#process(next.writer), next.which, next.share);
      case 'time':
        return this.clock.setWall(this.clock.now_ms() + next.ms);
      case 'fault':
        for (const { disk } of this.#processes) disk.fails = (step) => next.fails && step === 'sync';
        return;
      case 'crash':
        return this.#crash(next);
    }
  }

  #process(index: number): Process {
    const found = this.#processes[index];
    if (found === undefined) throw new RangeError(`expected a process, found ${index}`);
    return found;
  }

  async #live(process: Process): Promise<TargetBudget> {
    process.budget ??= await TargetBudget.open(FILE, LIMITS, this.clock, {
      disk: process.disk,
      kept_hours: 3,
      compacted_lines: 8,
    });
    return process.budget;
  }

  async #reserve(process: Process, most: bigint): Promise<void> {
    const budget = await this.#live(process);
    this.#ids += 1;
    const id = `r${this.#ids}`;
    const at_ms = this.clock.now_ms();
    if (await budget.reserve(id, most)) this.allowed.push({ id, at_ms, cost: most });
  }

  /** By either: what a command left open is settled by another. */
  async #settle(process: Process, which: number, part: number): Promise<void> {
    const run = this.allowed[which % Math.max(1, this.allowed.length)];
    if (run === undefined || this.#settled.has(run.id)) return;
    const budget = await this.#live(process);
    if (!budget.open().some(({ id }) => id === run.id)) return;
    this.#settled.add(run.id);
    run.cost = BigInt(Math.floor(part * Number(run.cost)));
    await budget.settle(run.id, run.cost);
  }

  /** One dies in one of the next steps of a reservation that compacts; a power cut takes the other with it. */
  async #crash({ writer: index, crash: kind, diesIn, torn, worst: most }: Act & { kind: 'crash' }) {
    const process = this.#process(index);
    await this.#live(process);
    const { disk } = process;
    disk.torn = torn;
    disk.diesIn = disk.steps + diesIn;
    await Promise.race([this.#reserve(process, BigInt(most)), disk.died]);
    await settled();
    // One that outlived its reservation is killed all the same.
    disk.kill();
    if (kind.kind === 'power') this.#processes = processesOn(disk.after(kind));
    else this.#processes[index] = { disk: disk.process(), budget: null };
  }
}

function processesOn(disk: MemoryDisk): Process[] {
  return WRITERS.map(() => ({ disk: disk.process(), budget: null }));
}

/** As much of a moment's text as names its period. */
const NAMED = { hour: '2027-01-15T10'.length, day: '2027-01-15'.length, month: '2027-01'.length } as const;

/** The most that runs which were allowed in one of these periods may have cost. */
function mostOf(allowed: readonly Allowed[], period: BudgetPeriod): bigint {
  const sums = new Map<string, bigint>();
  for (const { at_ms, cost } of allowed) {
    const name = formatInstant(at_ms).slice(0, NAMED[period]);
    sums.set(name, (sums.get(name) ?? 0n) + cost);
  }
  return [...sums.values()].reduce((most, sum) => (sum > most ? sum : most), 0n);
}

test.each([
  ['put off in time', SET, 400],
  ['left to time', ONWARD, 200],
] as const)(
  'whatever is reserved, settled, cut and %s, no hour, day or month goes above its cap',
  async (_, ms, numRuns) => {
    let allowed = 0;
    let full = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(actsWith(ms), { minLength: 20, maxLength: 60 }), async (acts) => {
        const lives = new Lives();
        for (const next of acts) {
          await lives.do(next);
          for (const period of BUDGET_PERIODS)
            expect(mostOf(lives.allowed, period), period).toBeLessThanOrEqual(LIMITS[period]);
        }
        allowed += lives.allowed.length;
        if (mostOf(lives.allowed, 'month') > LIMITS.month - BigInt(MOST)) full += 1;
      }),
      { numRuns },
    );
    // A budget that allows nothing keeps every cap.
    expect(allowed).toBeGreaterThan(numRuns);
    // Nor does a month that is never nearly full show that its cap holds.
    expect(full).toBeGreaterThan(numRuns / 20);
  },
);
