import type { FaultSubject } from '../../hooks/fault-definition.ts';

export function paidCall({ kind }: FaultSubject): boolean {
  return kind !== null;
}

/** Text in any of the three formats. */
export function textCall({ kind }: FaultSubject): boolean {
  return kind === 'chat' || kind === 'responses' || kind === 'messages';
}

/** Calls that can fail after they were accepted: images, jobs and videos. */
export function mediaCall(subject: FaultSubject): boolean {
  return paidCall(subject) && !textCall(subject);
}
