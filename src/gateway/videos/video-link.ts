import { unixSeconds } from '../clock.ts';
import type { Gateway } from '../gateway.ts';
import { LINK_LIFE_S } from '../images/link-signer.ts';
import type { Task } from '../tasks/task.ts';
import type { VideoWork } from './video-work.ts';

export const VIDEO_FILE_ROUTE = '/files/videos/:size/:seconds/:name';

/** The signed link of a completed task; it works for an hour after completion, however often it is read. */
export function videoLink(gateway: Gateway, task: Task<VideoWork>): string {
  const from = task.completedAt ?? task.createdAt;
  const expired = task.work.faults.first((hooks) => hooks.linkExpired?.() || null) ?? false;
  return signed(gateway, task, expired ? from : from + LINK_LIFE_S);
}

/** A link that works from now on: what the content endpoint is for once the first has expired (interface §4 note 4). */
export function freshVideoLink(gateway: Gateway, task: Task<VideoWork>): string {
  return signed(gateway, task, unixSeconds(gateway.clock.wallMs()) + LINK_LIFE_S);
}

function signed({ links }: Gateway, { id, work }: Task<VideoWork>, exp: number): string {
  const { size, seconds } = work.request;
  return links.sign(`/files/videos/${size}/${seconds}/${id}.mp4`, exp);
}
