import { expect, test } from 'vitest';
import { codePointsIn } from './code-points.ts';

test.each(['', 'abc', 'wörd', 'a🎉b', '🎉🎉', '\u{10ffff}\u{10000}', '\ue000\uffff'])(
  'code points of %j are counted as a string tells them',
  (text) => {
    expect(codePointsIn(text)).toBe([...text].length);
  },
);
