/**
 * Bundles each scenario into one plain JavaScript file: under dist/scenarios, for machines that hold no sources, or under
 * the folder that is named. k6 evaluates every module anew for every virtual user: one file costs half of what ten do.
 */
import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const outdir = resolve(process.argv[2] ?? fileURLToPath(new URL('../dist/scenarios', import.meta.url)));
const root = fileURLToPath(new URL('../', import.meta.url));
const scripts = readdirSync(`${root}scenarios`).filter((name) => name.endsWith('.ts'));

await build({
  absWorkingDir: root,
  entryPoints: scripts.map((name) => `scenarios/${name}`),
  outdir,
  bundle: true,
  format: 'esm',
  // What k6's runtime lacks must fail here, not hang there: it knows no for await and no async generators.
  target: 'es2020',
  supported: { 'for-await': false, 'async-generator': false },
  external: ['k6', 'k6/*'],
  charset: 'utf8',
  logLevel: 'warning',
});
console.error(`wrote ${scripts.length} scenarios to ${outdir}`);
