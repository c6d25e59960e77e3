import { z } from 'zod';
import { stateFailure } from './state-failure.ts';

const versioned = z.looseObject({ schema: z.string() });

/**
 * Throws `state_version` (exit 2) for content of the same sort and of another version: to begin it anew would overwrite what
 * only that version can read. What names no version of it passes.
 */
export function refuseOtherVersion(path: string, content: unknown, expected: string): void {
  const found = versioned.safeParse(content).data?.schema;
  const sort = expected.slice(0, expected.lastIndexOf('/') + 1);
  if (found === undefined || found === expected || !found.startsWith(sort)) return;
  throw stateFailure(
    'state_version',
    `${path}: expected ${expected}, found ${JSON.stringify(found.slice(0, 60))}`,
    'use the version of Weighbridge that wrote it, or give another folder for the state',
  );
}
