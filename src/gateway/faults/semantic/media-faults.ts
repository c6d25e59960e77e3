import type { FaultDefinition } from '../../hooks/fault-definition.ts';
import { clockSkew } from './clock-skew.ts';
import { IMAGE_ITEMS } from './image-items.ts';
import { linkExpired } from './link-expired.ts';
import { modelListLies } from './model-list-lies.ts';
import { VIDEO_BYTES } from './video-bytes.ts';

/** Faults of what image and video answers carry, and of the model list. */
export const MEDIA_FAULTS: readonly FaultDefinition[] = [
  ...IMAGE_ITEMS,
  ...VIDEO_BYTES,
  linkExpired,
  clockSkew,
  modelListLies,
];
