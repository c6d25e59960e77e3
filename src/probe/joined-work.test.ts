import { expect, it } from 'vitest';
import { JoinedWork } from './schedule/run-places.ts';

const noRest = async (): Promise<void> => {};
/** Until everything that waits for nothing outside has gone on. */
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

it('a flood is two turns: the one under way, and one that sees all that came', async () => {
  let written = 0;
  const seen: number[] = [];
  const gates: (() => void)[] = [];
  const joined = new JoinedWork(async () => {
    seen.push(written);
    await new Promise<void>((resolve) => gates.push(resolve));
    return seen.length;
  }, noRest);
  const ask = () => {
    written += 1;
    return joined.ask();
  };
  const first = ask();
  await settled();
  expect(seen).toEqual([1]);
  const flood = Array.from({ length: 100 }, ask);
  gates[0]?.();
  expect(await first).toBe(1);
  await settled();
  expect(seen).toEqual([1, 101]);
  const late = ask();
  gates[1]?.();
  expect(new Set(await Promise.all(flood))).toEqual(new Set([2]));
  await settled();
  expect(seen).toEqual([1, 101, 102]);
  gates[2]?.();
  expect(await late).toBe(3);
  await joined.idle();
});

it('a turn that fails is told to those who asked, and the next one is made', async () => {
  let broken = true;
  const joined = new JoinedWork(async () => {
    if (broken) throw new Error('not now');
    return 'done';
  }, noRest);
  await expect(joined.ask()).rejects.toThrow('not now');
  broken = false;
  expect(await joined.ask()).toBe('done');
});

it('those who ask one after the other share the turn behind the rest', async () => {
  let turns = 0;
  const rests: (() => void)[] = [];
  const joined = new JoinedWork(
    async () => {
      turns += 1;
      return turns;
    },
    () => new Promise<void>((resolve) => rests.push(resolve)),
  );
  expect(await joined.ask()).toBe(1);
  const late: Promise<number>[] = [];
  for (let n = 0; n < 5; n += 1) {
    late.push(joined.ask());
    await settled();
  }
  expect(turns).toBe(1);
  rests[0]?.();
  expect(await Promise.all(late)).toEqual([2, 2, 2, 2, 2]);
});
