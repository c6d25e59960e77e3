import type { ImageModel, ImageTier } from './model.ts';

/** interface §2, image edit request. */
export const IMAGE_QUALITIES = ['auto', 'low', 'medium', 'high'] as const;

interface SizePrices {
  readonly sizes: readonly string[];
  /** USD an image at low, medium and high quality; `auto` costs what medium costs. */
  readonly low: string;
  readonly medium: string;
  readonly high: string;
}

function tiersOf(groups: readonly SizePrices[]): ImageTier[] {
  return groups.flatMap(({ sizes, low, medium, high }) =>
    sizes.flatMap((size) => [
      { size, quality: 'auto', price: medium },
      { size, quality: 'low', price: low },
      { size, quality: 'medium', price: medium },
      { size, quality: 'high', price: high },
    ]),
  );
}

function image(id: string, groups: readonly SizePrices[], jobs = true): ImageModel {
  return { kind: 'image', id, tiers: tiersOf(groups), jobs };
}

const SQUARE = ['1024x1024', 'auto'];
const OBLONG = ['1024x1536', '1536x1024'];

/** Every model prices each allowed size at each quality, `auto` included. */
export const IMAGE_MODELS: readonly ImageModel[] = [
  image('lumen-image-mini', [
    { sizes: SQUARE, low: '0.005', medium: '0.011', high: '0.036' },
    { sizes: OBLONG, low: '0.006', medium: '0.015', high: '0.052' },
  ]),
  image('lumen-image', [
    { sizes: SQUARE, low: '0.011', medium: '0.042', high: '0.167' },
    { sizes: OBLONG, low: '0.016', medium: '0.063', high: '0.25' },
  ]),
  image('lumen-image-1.5', [
    { sizes: SQUARE, low: '0.009', medium: '0.034', high: '0.133' },
    { sizes: OBLONG, low: '0.013', medium: '0.05', high: '0.2' },
  ]),
  image('mosaic/fast:v4', [
    { sizes: ['1024x1024', 'auto', '768x1344', '1344x768'], low: '0.02', medium: '0.02', high: '0.02' },
  ]),
  image('mosaic/ultra:v4', [
    { sizes: ['1024x1024', 'auto', '2048x2048'], low: '0.06', medium: '0.06', high: '0.06' },
  ]),
  image('nimbus-dev@1', [
    { sizes: ['512x512', '1024x1024', 'auto'], low: '0.025', medium: '0.025', high: '0.025' },
  ]),
  image(
    'nimbus-sync-only',
    [{ sizes: ['1024x1024', 'auto'], low: '0.04', medium: '0.04', high: '0.08' }],
    false,
  ),
];
