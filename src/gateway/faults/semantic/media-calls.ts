import type { PaidKind } from '../../../core/call-kind.ts';
import type { FaultSubject } from '../../hooks/fault-definition.ts';

const IMAGES: readonly PaidKind[] = ['image', 'image_edit'];
const JOBS: readonly PaidKind[] = ['image_job', 'image_edit_job'];

/** Calls that create a task: an image job or a video. */
export function createsTask({ kind }: FaultSubject): boolean {
  return kind === 'video' || (kind !== null && JOBS.includes(kind));
}

/** Calls that make an image, at once or as a job. */
export function makesImage({ kind }: FaultSubject): boolean {
  return kind !== null && (IMAGES.includes(kind) || JOBS.includes(kind));
}

export function makesVideo({ kind }: FaultSubject): boolean {
  return kind === 'video';
}

export function makesMedia(subject: FaultSubject): boolean {
  return makesImage(subject) || makesVideo(subject);
}
