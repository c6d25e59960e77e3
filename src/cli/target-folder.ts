import { join } from 'node:path';

/** What `--state` is where it is not given. */
export const DEFAULT_STATE = '.weighbridge';

/**
 * The folder of a target under `--state`, for all that outlives a run: its host, port and path, so that two gateways
 * never share one.
 */
export function targetFolder(state: string, root: string): string {
  const { host, pathname } = new URL(root);
  const name = `${host}${pathname}`.replace(/\/+$/, '').replace(/[^A-Za-z0-9.-]+/g, '_');
  // No name of dots alone may lead out of the folder.
  return join(state, name.replace(/^\.+/, '_'));
}
