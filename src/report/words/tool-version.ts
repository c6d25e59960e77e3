import type { ToolVersions } from '../../contracts/result.ts';

/** `0.1.0 (4aea9e1a2b3c)`: the version, and the commit where it is known. */
export function toolVersion({ weighbridge, revision }: ToolVersions): string {
  return revision === undefined ? weighbridge : `${weighbridge} (${revision})`;
}
