import { execFileSync } from 'node:child_process';
import { bomSchema, bomText, type Described } from './bom.ts';

const DEVELOPMENT = 'cdx:npm:package:development';

/** What npm installs with the package. `npm sbom --omit dev` would leave out what development needs, too: all is taken, and what is for it alone dropped. */
export function npmBom(root: string, described: Described): string {
  const said = execFileSync('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return bomText(bomSchema.parse(JSON.parse(said)), described, ({ properties = [] }) =>
    properties.every(({ name }) => name !== DEVELOPMENT),
  );
}
