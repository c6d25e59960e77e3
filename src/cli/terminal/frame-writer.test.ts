import { expect, test } from 'vitest';
import { Screen } from '../../../test/support/screen.ts';
import { FrameWriter } from './process-terminal.ts';

const HELD = '\u001b[?2026h';
const SHOWN = '\u001b[?2026l';

test('a frame takes the place of the last one, whatever was longer in it', () => {
  const screen = new Screen(20, 10);
  const writer = new FrameWriter();
  screen.write('before\n');
  screen.write(writer.draw(['first line', 'second', 'third'], 20));
  expect([screen.text(), screen.cursorShown]).toEqual(['before\nfirst line\nsecond\nthird', false]);
  screen.write(writer.draw(['one', 'two'], 20));
  expect(screen.text()).toBe('before\none\ntwo');
  screen.write(`${writer.erase(20)}after\n`);
  expect([screen.text(), screen.cursorShown]).toEqual(['before\nafter', true]);
});

test('each frame is one write that a terminal shows at once, and clears nothing before it paints', () => {
  const writer = new FrameWriter();
  writer.draw(['one'], 20);
  const bytes = writer.draw(['two'], 20);
  expect(bytes.startsWith(HELD)).toBe(true);
  expect(bytes.endsWith(SHOWN)).toBe(true);
  expect(bytes.indexOf('two')).toBeLessThan(bytes.indexOf('\u001b[K'));
});

test('a terminal that became narrower has broken the lines of the last frame anew', () => {
  const writer = new FrameWriter();
  writer.draw(['x'.repeat(18), 'y'], 20);
  // 18 letters stand in 10 columns on two rows.
  expect(writer.draw(['z'], 10)).toContain('\r\u001b[3A');
});

test('nothing is erased where nothing is drawn, and an empty frame gives the cursor back', () => {
  const writer = new FrameWriter();
  expect(writer.erase(20)).toBe('');
  writer.draw(['one'], 20);
  expect(writer.draw([], 20)).toContain('\u001b[?25h');
  expect(writer.drawn).toBe(false);
});
