import type { VideoModel } from './model.ts';

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
