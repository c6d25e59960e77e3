import { randomBytes } from 'node:crypto';

/** `20261120T231500Z-3f9a`: sorts by time, safe in paths; four random hex digits part runs of one second. */
export function newRunId(nowMs: number): string {
  const stamp = new Date(nowMs)
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replace(/[-:]/g, '');
  return `${stamp}-${randomBytes(2).toString('hex')}`;
}

/** Seeds the markers of one run: 16 hex digits. */
export function newNonce(): string {
  return randomBytes(8).toString('hex');
}
