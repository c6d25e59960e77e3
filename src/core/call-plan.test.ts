import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MARKER_BYTES, MEDIA_PROMPT_BYTES, planCall } from './call-plan.ts';
import { markerOf } from './marker.ts';
import { scenarioOf, textOf } from './plan.test-support.ts';
import type { ScenarioPlan } from './plan.ts';

const chat: ScenarioPlan = scenarioOf({ model: 'm/1: a,b@c' });
const edit: ScenarioPlan = {
  ...chat,
  name: 'edits',
  kind: 'image_edit',
  text: null,
  image: { size: '1024x1024', quality: 'low', response_format: 'url', multipart_share: 0.25 },
};

function streamed(share: number, from: number, to: number): number {
  let count = 0;
  const scenario = { ...chat, text: textOf({ stream_share: share, prompt_bytes: 20, max_tokens: 1 }) };
  for (let n = from; n < to; n += 1) if (planCall(1, scenario, n).stream) count += 1;
  return count;
}

describe('planCall', () => {
  it('is a function of seed, scenario and n', () => {
    expect(planCall(1, chat, 7)).toEqual(planCall(1, structuredClone(chat), 7));
    const prompts = [
      planCall(1, chat, 7),
      planCall(2, chat, 7),
      planCall(1, chat, 8),
      planCall(1, { ...chat, name: 'b' }, 7),
    ];
    expect(new Set(prompts.map(({ prompt }) => prompt)).size).toBe(4);
    expect(planCall(1, chat, 7)).toMatchObject({
      kind: 'chat',
      model: 'm/1: a,b@c',
      max_tokens: 64,
      image: null,
    });
  });

  it('leaves room for the marker and its space', () => {
    expect(`${markerOf('nonce', 'call')} `).toHaveLength(MARKER_BYTES);
    expect(planCall(1, chat, 0).prompt).toHaveLength(300 - MARKER_BYTES);
    expect(planCall(1, edit, 0).prompt).toHaveLength(MEDIA_PROMPT_BYTES - MARKER_BYTES);
  });

  it.each([
    [0, 0],
    [1, 100],
    [0.5, 50],
    [0.57, 57],
    [0.29, 29],
    [0.01, 1],
    [1 / 4, 25],
  ])('streams a share of %d exactly over the first 100 calls', (share, count) => {
    expect(streamed(share, 0, 100)).toBe(count);
    expect(streamed(share, 900, 1_000)).toBe(count);
  });

  it('is never a whole call away from its share', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1_000_000 }), fc.nat(200), (millionths, n) => {
        const share = millionths / 1_000_000;
        expect(Math.abs(streamed(share, 0, n) - share * n)).toBeLessThan(1);
      }),
      { numRuns: 30 },
    );
  });

  it('spreads the streamed calls instead of bunching them', () => {
    expect([0, 1, 2, 3, 4, 5].map((n) => planCall(1, chat, n).stream)).toEqual([
      false,
      true,
      false,
      true,
      false,
      true,
    ]);
  });

  it('gives messages both credentials, streamed and plain, and other kinds bearer only', () => {
    const messages: ScenarioPlan = { ...chat, kind: 'messages' };
    const mixes = Array.from({ length: 100 }, (_, n) => planCall(1, messages, n)).map(
      ({ stream, auth }) => `${stream} ${auth}`,
    );
    const counts = Object.entries(Object.groupBy(mixes, (mix) => mix)).map(([mix, calls]) => [
      mix,
      calls?.length,
    ]);
    expect(Object.fromEntries(counts)).toEqual({
      'true bearer': 25,
      'true x-api-key': 25,
      'false bearer': 25,
      'false x-api-key': 25,
    });
    expect([0, 1, 2, 3].map((n) => planCall(1, chat, n).auth)).toEqual(Array(4).fill('bearer'));
  });

  it('sends the asked share of edits as multipart, and no other kind', () => {
    const multipart = (scenario: ScenarioPlan) =>
      Array.from({ length: 40 }, (_, n) => planCall(1, scenario, n)).filter((call) => call.multipart).length;
    expect(multipart(edit)).toBe(10);
    expect(multipart({ ...edit, kind: 'image_edit_job' })).toBe(10);
    expect(multipart({ ...edit, kind: 'image' })).toBe(0);
    expect(planCall(1, edit, 0)).toMatchObject({ stream: false, max_tokens: null, image: edit.image });
  });
});
