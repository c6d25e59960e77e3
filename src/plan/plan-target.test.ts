import { expect, it } from 'vitest';
import { configOf } from './plan.test-support.ts';
import { mannersOf } from './plan-target.ts';

it('carries how the configuration asks for the target to be spoken to, and nothing where it says nothing', () => {
  const yaml = (target: string) => configOf(`target: { url: "http://127.0.0.1:1", ${target} }`).target;
  expect(mannersOf(yaml('stream_end: finish_reason, headers: { X-T: a }'))).toEqual({
    stream_end: 'finish_reason',
    headers: { 'x-t': 'a' },
  });
  expect(mannersOf(yaml('stream_end: auto'))).toEqual({});
});
