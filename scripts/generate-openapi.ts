/** Writes docs/openapi.json from the schemas of the gateway; with --check it only compares (exit 1 on a difference). */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openapiDocument } from '../src/gateway/openapi/openapi-document.ts';

/** The address of `weighbridge gateway` without flags. */
const SERVER_URL = 'http://127.0.0.1:8787';

const path = fileURLToPath(new URL('../docs/openapi.json', import.meta.url));
const biome = fileURLToPath(new URL('../node_modules/.bin/biome', import.meta.url));
const generated = JSON.stringify(openapiDocument(SERVER_URL), null, 2);
if (!process.argv.includes('--check')) {
  writeFileSync(path, `${generated}\n`);
  execFileSync(biome, ['format', '--write', path], { stdio: 'inherit' });
} else if (JSON.stringify(JSON.parse(readFileSync(path, 'utf8')), null, 2) !== generated) {
  console.error('docs/openapi.json is stale: run node scripts/generate-openapi.ts');
  process.exitCode = 1;
}
