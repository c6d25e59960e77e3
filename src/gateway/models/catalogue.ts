import { IMAGE_MODELS } from './image-models.ts';
import type { Model, VideoModel } from './model.ts';
import { TEXT_MODELS } from './text-models.ts';

const HD = ['1280x720', '720x1280'];

function video(
  id: string,
  max_seconds: number,
  prices: readonly (readonly [sizes: readonly string[], price: string])[],
): VideoModel {
  const tiers = prices.flatMap(([sizes, price]) => sizes.map((resolution) => ({ resolution, price })));
  return { kind: 'video', id, tiers, max_seconds };
}

export const VIDEO_MODELS: readonly VideoModel[] = [
  video('orbit-2', 12, [[HD, '0.10']]),
  video('orbit-2-pro', 12, [
    [HD, '0.30'],
    [['1792x1024', '1024x1792'], '0.50'],
  ]),
  video('pampas-fast', 8, [
    [HD, '0.15'],
    [['1920x1080'], '0.15'],
  ]),
  video('pampas/3.1', 8, [
    [HD, '0.40'],
    [['1920x1080'], '0.40'],
  ]),
  video('quartz-lite:i2v', 12, [
    [['854x480', '480x854'], '0.018'],
    [HD, '0.036'],
  ]),
];

/** Everything this gateway serves, in the order in which it is listed. */
export const CATALOGUE: readonly Model[] = [...TEXT_MODELS, ...IMAGE_MODELS, ...VIDEO_MODELS];

const BY_ID: ReadonlyMap<string, Model> = new Map(CATALOGUE.map((model) => [model.id, model]));

export function modelById(id: string): Model | null {
  return BY_ID.get(id) ?? null;
}
