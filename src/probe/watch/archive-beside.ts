import { basename, dirname, join } from 'node:path';

/** `<state>/<target>/archive`, which `weighbridge pull` fills too, from `<state>/<target>/probe`, the daemon's own folder. */
export function archiveBeside(dir: string): string {
  return join(basename(dir) === 'probe' ? dirname(dir) : dir, 'archive');
}
