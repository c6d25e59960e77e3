import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { probeOf, ScheduleBench, targetOf } from './schedule-bench.test-support.ts';

interface Drawn {
  readonly concurrency: number;
  readonly probes: readonly { readonly interval_ms: number; readonly length_ms: number }[];
}

function drawn(longest: number): fc.Arbitrary<readonly Drawn[]> {
  const probe = fc.record({
    interval_ms: fc.integer({ min: 5_000, max: 120_000 }),
    length_ms: fc.integer({ min: 0, max: longest }),
  });
  const target = fc.record({
    concurrency: fc.integer({ min: 1, max: 4 }),
    probes: fc.array(probe, { minLength: 1, maxLength: 6 }),
  });
  return fc.array(target, { minLength: 1, maxLength: 3 });
}

function planOf(targets: readonly Drawn[], named: (target: number, probe: number) => string) {
  return {
    targets: targets.map(({ concurrency, probes }, t) =>
      targetOf(
        `t${t}`,
        concurrency,
        probes.map(({ interval_ms }, p) => probeOf(named(t, p), interval_ms)),
      ),
    ),
  };
}

function lengthsOf(targets: readonly Drawn[]): Record<string, number> {
  return Object.fromEntries(
    targets.flatMap(({ probes }, t) => probes.map(({ length_ms }, p) => [`t${t}p${p}`, length_ms])),
  );
}

const nameOf = (t: number, p: number) => `t${t}p${p}`;

test('whatever the load and the reloads: one run of a probe, the cap of a target, and every probe gets its turn', async () => {
  await fc.assert(
    fc.asyncProperty(
      drawn(90_000),
      fc.array(fc.nat(2), { maxLength: 4 }),
      fc.string(),
      async (targets, cuts, seed) => {
        const bench = new ScheduleBench({ seed });
        bench.lengths = lengthsOf(targets);
        bench.scheduler.replace(planOf(targets, nameOf));
        for (const cut of cuts) {
          await bench.clock.advance(20_000);
          bench.scheduler.replace(planOf(targets.slice(0, cut), nameOf));
          await bench.clock.advance(7_000);
          bench.scheduler.replace(planOf(targets, nameOf));
        }
        bench.started.length = 0;
        // The longest interval, then each of six in a line of one place.
        await bench.clock.advance(1.1 * 120_000 + 7 * 90_000);
        for (const [t, { concurrency, probes }] of targets.entries()) {
          expect(bench.most.get(`t${t}`) ?? 0).toBeLessThanOrEqual(concurrency);
          for (const p of probes.keys()) {
            expect(bench.most.get(`t${t}/${nameOf(t, p)}`) ?? 0).toBeLessThanOrEqual(1);
            expect(bench.startsOf(nameOf(t, p)).length).toBeGreaterThan(0);
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('where there is room, the rate is one run an interval, none skipped', async () => {
  await fc.assert(
    fc.asyncProperty(drawn(4_000), fc.string(), async (targets, seed) => {
      const roomy = targets.map((target) => ({ ...target, concurrency: 6 }));
      const bench = new ScheduleBench({ seed });
      bench.lengths = lengthsOf(roomy);
      bench.scheduler.replace(planOf(roomy, nameOf));
      const time = 2 * 3_600_000;
      await bench.clock.advance(time);
      expect(bench.skipped).toEqual([]);
      for (const [t, { probes }] of roomy.entries()) {
        for (const [p, { interval_ms }] of probes.entries()) {
          expect(Math.abs(bench.startsOf(nameOf(t, p)).length - time / interval_ms)).toBeLessThanOrEqual(1.2);
        }
      }
    }),
    { numRuns: 12 },
  );
});
