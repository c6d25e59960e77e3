import { IMAGE_MODELS } from './image-models.ts';
import type { Model } from './model.ts';
import { TEXT_MODELS } from './text-models.ts';
import { VIDEO_MODELS } from './video-models.ts';

/** Everything this gateway serves, in the order in which it is listed. */
export const CATALOGUE: readonly Model[] = [...TEXT_MODELS, ...IMAGE_MODELS, ...VIDEO_MODELS];

const BY_ID: ReadonlyMap<string, Model> = new Map(CATALOGUE.map((model) => [model.id, model]));

export function modelById(id: string): Model | null {
  return BY_ID.get(id) ?? null;
}
