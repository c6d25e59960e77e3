import { describe, expect, it } from 'vitest';
import type { PriceBook } from '../contracts/price-book.ts';
import { book, LOCAL, resolve } from './plan.test-support.ts';
import type { PlanRequest } from './resolve-plan.ts';

describe('a scenario that cannot be bounded', () => {
  const reasonOf = (entry: string, more: Partial<PlanRequest> = {}) =>
    resolve(`traffic: [${entry}]`, LOCAL, more).plan.stopped.map(({ reason }) => reason);
  const sized: PriceBook = {
    ...book,
    models: book.models.map((model) => ({
      ...model,
      components: model.components.map((part) =>
        part.meter === 'image' ? { ...part, size: '512x512' } : part,
      ),
    })),
  };

  it.each([
    [
      '{kind: chat, rate: 1/s, model: chaep}',
      'the target does not list the model "chaep"; did you mean "cheap"?',
    ],
    [
      '{kind: chat, rate: 1/s, model: zzzzzzzzzzz}',
      'the target does not list the model "zzzzzzzzzzz"; GET /v1/models has the ids',
    ],
    [
      '{kind: chat, rate: 1/s, model: pictures}',
      '"pictures" is an image model in the price book, and chat calls a text model',
    ],
    [
      '{kind: video, rate: 1/s, model: cheap}',
      '"cheap" is a text model in the price book, and video calls a video model',
    ],
    [
      '{kind: image, rate: 1/s, model: free of price}',
      'the price book has no entry for the model "free of price"',
    ],
    [
      '{kind: video, rate: 1/s, seconds: 8, size: 640x480}',
      'the price book has no price of "films" for 8 seconds of size 640x480; priced: 720p, 1080p',
    ],
  ])('says why: %s', (entry, why) => {
    expect(reasonOf(entry)).toEqual([`the spend cap cannot be kept: ${why}`]);
  });

  it('names the sizes and qualities that are priced', () => {
    expect(reasonOf('{kind: image, rate: 1/s, size: 64x64}', { book: sized })).toEqual([
      'the spend cap cannot be kept: the price book has no price of "pictures" for size 64x64, quality medium; priced: 512x512 low, 512x512 medium, 512x512 high',
    ]);
  });

  it('runs without a cap, and a note says what will come of it', () => {
    const run = (model: string) => resolve(`traffic: [{kind: chat, rate: 1/s, model: ${model}}]`);
    expect(run('chaep').notes).toEqual([
      'chat: its calls will fail: the target does not list the model "chaep"; did you mean "cheap"?',
    ]);
    expect(run('pictures').notes).toEqual([
      'chat: its charges cannot be checked: "pictures" is an image model in the price book, and chat calls a text model',
    ]);
    // Priced, but not offered.
    expect(run('unlisted').notes[0]).toContain('the target does not list the model "unlisted"');
    expect(run('chaep').plan.stopped).toEqual([]);
    expect(run('cheap').notes).toEqual([]);
  });
});
