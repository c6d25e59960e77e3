import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatInstant } from '../../core/time.ts';
import { instantText } from './instant-text.ts';

test('property: the same text as of the clock of JavaScript, in any order of moments', () => {
  const moment = fc.double({ min: 0, max: 4_000_000_000_000, noNaN: true });
  const near = fc.double({ min: 1_795_000_000_000, max: 1_795_000_003_000, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.oneof(moment, near)), (moments) => {
      expect(moments.map(instantText)).toEqual(moments.map((ms) => formatInstant(Math.floor(ms))));
    }),
  );
});
