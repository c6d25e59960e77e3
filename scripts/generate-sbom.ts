/** Writes sbom/: what is installed with the package, and what an engine links, as CycloneDX. */
import { mkdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { goLicences } from './licences/go-licences.ts';
import { goBom } from './sbom/go-bom.ts';
import { npmBom } from './sbom/npm-bom.ts';
import { writeGenerated } from './write-generated.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const { name, version, license } = z
  .object({ name: z.string(), version: z.string(), license: z.string() })
  .parse(JSON.parse(readFileSync(`${root}package.json`, 'utf8')));

mkdirSync(`${root}sbom`, { recursive: true });
writeGenerated(
  'sbom/package.cdx.json',
  npmBom(root, { name, version, purl: `pkg:npm/${name}@${version}`, licence: license }),
  { source: 'package-lock.json', script: 'generate-sbom.ts' },
);
const MODULE = 'weighbridge.dev/xk6';
writeGenerated(
  'sbom/engine.cdx.json',
  goBom(root, goLicences(`${root}xk6`), {
    name: MODULE,
    version,
    purl: `pkg:golang/${MODULE}@v${version}`,
    licence: 'AGPL-3.0-only',
  }),
  { source: 'the modules of xk6', script: 'generate-sbom.ts' },
);
