import type { Operation } from './operation.ts';
import { ACCOUNT_OPERATIONS, OPEN_OPERATIONS } from './operations/account-operations.ts';
import { IMAGE_OPERATIONS } from './operations/image-operations.ts';
import { TEXT_OPERATIONS } from './operations/text-operations.ts';
import { VIDEO_OPERATIONS } from './operations/video-operations.ts';

/** Every endpoint of the service: the 18 of interface §4, the files behind links, and the description itself. */
export const OPERATIONS: readonly Operation[] = [
  ...OPEN_OPERATIONS,
  ...TEXT_OPERATIONS,
  ...IMAGE_OPERATIONS,
  ...VIDEO_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
];
