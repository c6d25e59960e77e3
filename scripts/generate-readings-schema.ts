/** Writes src/gateway/readings/readings.schema.json from the zod schema; with --check it only compares (exit 1 on a difference). */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readingsJsonSchema } from '../src/gateway/readings/read-readings.ts';

const path = fileURLToPath(new URL('../src/gateway/readings/readings.schema.json', import.meta.url));
const biome = fileURLToPath(new URL('../node_modules/.bin/biome', import.meta.url));
const generated = JSON.stringify(readingsJsonSchema(), null, 2);
if (!process.argv.includes('--check')) {
  writeFileSync(path, `${generated}\n`);
  execFileSync(biome, ['format', '--write', path], { stdio: 'inherit' });
} else if (JSON.stringify(JSON.parse(readFileSync(path, 'utf8')), null, 2) !== generated) {
  console.error(
    'src/gateway/readings/readings.schema.json is stale: run node scripts/generate-readings-schema.ts',
  );
  process.exitCode = 1;
}
