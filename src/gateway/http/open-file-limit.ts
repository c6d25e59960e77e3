import { readFileSync } from 'node:fs';

/** Each connection is an open file: fewer are too few for a load of streams. */
const ENOUGH_OPEN_FILES = 8192;

/** The sentence to warn with at start, or null where the process may open enough files, or nobody can tell. */
export function openFileWarning(limits: string | null = ownLimits()): string | null {
  const most = /^Max open files +(\d+)/m.exec(limits ?? '')?.[1];
  if (most === undefined || Number(most) >= ENOUGH_OPEN_FILES) return null;
  return `this process may open ${most} files, and each connection is one: raise it with ulimit -n ${ENOUGH_OPEN_FILES}`;
}

/** Linux only; elsewhere there is no cheap way to ask. */
function ownLimits(): string | null {
  try {
    return readFileSync('/proc/self/limits', 'utf8');
  } catch {
    return null;
  }
}
