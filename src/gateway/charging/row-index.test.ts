import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { RowIndex } from './row-index.ts';

const sorted = (rows: readonly number[]) => [...rows].sort((left, right) => left - right);

test('property: the rows of each text, whatever was added and taken out before', () => {
  const step = fc.record({ text: fc.constantFrom('a', 'b', 'ab', ''), taken: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
      const texts: string[] = [];
      const index = new RowIndex((row) => texts[row] ?? '');
      const held = new Map<string, number[]>();
      for (const { text, taken } of steps) {
        const rows = held.get(text) ?? [];
        const gone = taken ? rows.shift() : undefined;
        if (gone !== undefined) index.remove(text, gone);
        else if (!taken) {
          rows.push(texts.length);
          index.add(text, texts.length);
          texts.push(text);
        }
        held.set(text, rows);
        for (const name of ['a', 'b', 'ab', '', 'c'])
          expect(sorted(index.rows(name))).toEqual(held.get(name) ?? []);
      }
    }),
  );
});

test('finds each of many', () => {
  const index = new RowIndex((row) => `request ${row}`);
  for (let row = 0; row < 50_000; row += 1) index.add(`request ${row}`, row);
  for (let row = 0; row < 50_000; row += 997) expect(index.rows(`request ${row}`)).toEqual([row]);
  expect(index.rows('request 50000')).toEqual([]);
});
