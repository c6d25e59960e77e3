import { expect, test } from 'vitest';
import { renderError } from './render-error.ts';

test('a full disk may be that of the runs or that of the state, and is told without a stack', () => {
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
  const { code, exitCode, lines } = renderError(full);
  expect({ code, exitCode }).toEqual({ code: 'disk', exitCode: 1 });
  expect(lines).toHaveLength(4);
  expect(lines[2]).toContain('choose another folder with `--out` and `--state`');
});
