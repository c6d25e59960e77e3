import { expect, it } from 'vitest';
import { resolve } from './plan.test-support.ts';

const notes = (keys: string) => resolve(`traffic: [{kind: chat, rate: 1/s, ${keys}}]`).notes;
const NOTE = 'chat: abort.after_events cuts streams only: a plain call has no events, and needs abort.after';

it('a note says that plain calls are not cut after events', () => {
  expect(notes('abort: {share: 0.5, after_events: 3}')).toContain(NOTE);
  expect(notes('stream: 0, abort: {share: 0.5, after_events: 3}')).toContain(NOTE);
});

it('none is needed where all calls stream, or a time cuts the plain ones', () => {
  expect(notes('stream: 1, abort: {share: 0.5, after_events: 3}')).not.toContain(NOTE);
  expect(notes('abort: {share: 0.5, after: 1s, after_events: 3}')).not.toContain(NOTE);
  expect(notes('stream: 0.5')).not.toContain(NOTE);
});
