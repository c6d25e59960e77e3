/** Writes the JSON Schemas of what the report gives to programs; with --check it only compares (exit 1 on a difference). */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { explanationJsonSchema, resultJsonSchema } from '../src/report/explain/explanation-schema.ts';

const SCHEMAS = {
  'src/report/result.schema.json': resultJsonSchema,
  'src/report/explain/explanation.schema.json': explanationJsonSchema,
};

const biome = fileURLToPath(new URL('../node_modules/.bin/biome', import.meta.url));
for (const [name, schemaOf] of Object.entries(SCHEMAS)) {
  const path = fileURLToPath(new URL(`../${name}`, import.meta.url));
  const generated = JSON.stringify(schemaOf(), null, 2);
  if (!process.argv.includes('--check')) {
    writeFileSync(path, `${generated}\n`);
    execFileSync(biome, ['format', '--write', path], { stdio: 'inherit' });
  } else if (
    !existsSync(path) ||
    JSON.stringify(JSON.parse(readFileSync(path, 'utf8')), null, 2) !== generated
  ) {
    console.error(`${name} is stale: run node scripts/generate-result-schema.ts`);
    process.exitCode = 1;
  }
}
