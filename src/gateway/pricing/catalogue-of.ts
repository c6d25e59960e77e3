import type { Model } from '../models/model.ts';
import type { Readings } from '../readings/readings.ts';

const EDIT_FEE = '0.005';

/** The models as the readings price their images and videos. */
export function catalogueOf(
  models: readonly Model[],
  { image_edits, video_price }: Readings,
): readonly Model[] {
  return models.map((model) => {
    if (model.kind === 'image' && image_edits === 'fee') return { ...model, edit_fee: EDIT_FEE };
    if (model.kind === 'video' && video_price === 'per_video') return { ...model, per_video: true };
    return model;
  });
}
