import { expect, it } from 'vitest';
import { readPatch } from './mutant.ts';
import { timeSpent } from './time-spent.ts';

const timed = (name: string, red: string, seconds: number) => ({
  mutant: readPatch(name, `breaks: x\nred: ${red}\n`),
  seconds,
});

it('sums the seconds of each runner and names the longest first', () => {
  const all = [
    timed('quick', 'a.test.ts', 0.25),
    timed('slow', 'go ./call -run TestX', 12),
    timed('middle', 'b.test.ts -t "a b"', 1.5),
  ];
  expect(timeSpent(all)).toEqual([
    'lane seconds: go 12.0 s for 1, vitest 1.8 s for 2; the longest:',
    '   12.0 s  slow go ./call -run TestX',
    '    1.5 s  middle vitest b.test.ts -t a b',
    '    0.3 s  quick vitest a.test.ts',
  ]);
});

it('names twenty, and says nothing of no mutant', () => {
  const all = Array.from({ length: 30 }, (_, at) => timed(`m${at}`, 'go ./call', at));
  const lines = timeSpent(all);
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toContain('m10 ');
  expect(timeSpent([])).toEqual([]);
});
