import { expect, test } from 'vitest';
import { threadCpuMs } from '../common/thread-cpu.ts';
import { addedTime } from './added-time.ts';

test('what a call takes more than another is told apart from what two like it differ by', async () => {
  const made = { bare: 0, weighed: 0 };
  const time = await addedTime(
    {
      bare: async () => {
        made.bare += 1;
      },
      weighed: async () => {
        made.weighed += 1;
        const start = threadCpuMs();
        while (threadCpuMs() - start < 2);
      },
    },
    12,
    6,
  );
  expect(made).toEqual({ bare: 36, weighed: 18 });
  expect(time.added.cpu.p50).toBeGreaterThan(1.9);
  expect(time.added.wall.p50).toBeGreaterThan(1.9);
  expect(time.floor.cpu.p50).toBeLessThan(1);
});
