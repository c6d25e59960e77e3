import { describe, expect, test } from 'vitest';
import type { Examination, Seen } from './examination.ts';
import { ok } from './examination.ts';
import { runExaminations } from './run-examinations.ts';

const broken: Seen = { state: 'problem', found: 'broken', fix: 'mend it' };

function mendable(work: (state: { seen: Seen }) => void): Examination & { readonly mends: () => number } {
  const state: { seen: Seen } = { seen: broken };
  let mends = 0;
  return {
    name: 'thing',
    look: () => state.seen,
    mend: () => {
      mends += 1;
      work(state);
    },
    mends: () => mends,
  };
}

const run = (examinations: readonly Examination[], mend = false) =>
  runExaminations(examinations, mend, () => undefined);

describe('the exit code', () => {
  const of = async (...seen: readonly Seen[]) =>
    (await run(seen.map((one) => ({ name: 'x', look: () => one })))).exitCode;
  test('is 2 where something stands in the way, before 3 of a target, and 0 with warnings', async () => {
    expect(await of(ok('fine'))).toBe(0);
    expect(await of({ ...broken, state: 'warning' })).toBe(0);
    expect(await of(ok('fine'), broken)).toBe(2);
    expect(await of({ ...broken, exit: 3 })).toBe(3);
    expect(await of({ ...broken, exit: 3 }, broken)).toBe(2);
  });
});

describe('--fix', () => {
  test('mends, looks again, and says that it did', async () => {
    const thing = mendable((state) => {
      state.seen = ok('whole');
    });
    const done = await run([thing], true);
    expect(done).toMatchObject({ examined: [{ state: 'mended', found: 'whole', fix: null }], exitCode: 0 });
  });

  test('touches nothing where all is well, or where it is not asked', async () => {
    const thing = mendable(() => undefined);
    expect((await run([thing])).exitCode).toBe(2);
    expect(thing.mends()).toBe(0);
    const whole = { ...thing, look: () => ok('whole') };
    expect((await run([whole], true)).examined).toMatchObject([{ state: 'ok' }]);
    expect(thing.mends()).toBe(0);
  });

  test('claims nothing that did not help, and says what failed', async () => {
    const useless = mendable(() => undefined);
    expect((await run([useless], true)).examined).toMatchObject([{ state: 'problem', fix: 'mend it' }]);
    const failing = mendable(() => {
      throw new Error('no room');
    });
    const done = await run([failing], true);
    expect(done.exitCode).toBe(2);
    expect(done.examined[0]?.found).toBe('it could not be mended: no room');
  });
});
