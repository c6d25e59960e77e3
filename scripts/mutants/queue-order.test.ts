import { expect, it } from 'vitest';
import { readPatch } from './mutant.ts';
import { queueOrder } from './queue-order.ts';

const mutant = (name: string, red: string, path = 'src/x.ts') =>
  readPatch(name, `breaks: x\nred: ${red}\n\n--- a/${path}\n+++ b/${path}\n`);

it('puts mutants of one file side by side, the gateway at the end, and others in the middle', () => {
  const order = queueOrder([
    mutant('a', 'src/gateway/b.test.ts'),
    mutant('b', 'src/plan/b.test.ts -t two'),
    mutant('c', 'go ./call -run TestOne', 'xk6/call/a.go'),
    mutant('d', 'src/plan/a.test.ts'),
    mutant('e', 'test/setup.test.ts', 'bin/setup.mjs'),
    mutant('f', 'src/plan/b.test.ts -t one'),
    mutant('g', 'src/gateway/a.test.ts'),
  ]);
  expect(order.map(({ name }) => name)).toEqual(['d', 'b', 'f', 'c', 'e', 'g', 'a']);
});
