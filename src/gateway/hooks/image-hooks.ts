import type { ImageForms, ImageItem } from '../formats/image-item.ts';

/** Faults of result links and of what an image response carries, in force at every read of the same result. */
export interface ImageHooks {
  /** The items of an image response instead of the right one. Null leaves them. */
  images?(items: readonly ImageItem[], forms: ImageForms): readonly ImageItem[] | null;
  /** Whether the link that is about to be given no longer works. */
  linkExpired?(): boolean;
}
