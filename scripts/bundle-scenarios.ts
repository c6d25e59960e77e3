/**
 * Bundles each scenario into one plain JavaScript file: under dist/scenarios, for machines that hold no sources, or under
 * the folder that is named. k6 evaluates every module anew for every virtual user: one file costs half of what ten do,
 * and one that makes no function before it is needed a small part of that.
 */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

const outdir = resolve(process.argv[2] ?? fileURLToPath(new URL('../dist/scenarios', import.meta.url)));
const root = fileURLToPath(new URL('../', import.meta.url));
const scripts = readdirSync(`${root}scenarios`).filter((name) => name.endsWith('.ts'));

/** Those that do more than the starts of the plan as it stands. */
const EAGER = new Set(['selftest.ts', 'stream.ts']);

/**
 * What k6 makes for each virtual user, 20 KB, and none of ours needs where there is no JavaScript to run: with 2,000 of
 * them the garbage collector would walk through 40 MB of it again and again.
 */
const UNUSED = [
  ...['crypto', 'TextEncoder', 'TextDecoder', 'require', 'open'],
  ...['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
];

const COMMON = {
  absWorkingDir: root,
  bundle: true,
  outdir,
  // What k6's runtime lacks must fail here, not hang there: it knows no for await and no async generators.
  target: 'es2020',
  supported: { 'for-await': false, 'async-generator': false },
  external: ['k6', 'k6/*'],
  charset: 'utf8',
  logLevel: 'warning',
} as const satisfies BuildOptions;

const eager = scripts.filter((name) => EAGER.has(name));
const lazy = scripts.filter((name) => !EAGER.has(name));
await build({ ...COMMON, entryPoints: eager.map((name) => `scenarios/${name}`), format: 'esm' });
const { outputFiles } = await build({
  ...COMMON,
  entryPoints: lazy.map((name) => `scenarios/${name}`),
  format: 'cjs',
  write: false,
});
mkdirSync(outdir, { recursive: true });
for (const { path, text } of outputFiles) writeFileSync(join(outdir, basename(path)), deferred(text));
console.error(`wrote ${scripts.length} scenarios to ${outdir}`);

/**
 * A scenario within a function. The first evaluation, which gives the options, calls it, and so does a virtual user if
 * the plan needs JavaScript. Else none does: the extension makes the starts, and the virtual user is a few objects. It is
 * CommonJS because k6 evaluates an ES module with promises and generators.
 */
function deferred(text: string): string {
  return `'use strict';
const weighbridge = require('k6/x/weighbridge');
let made;
function script() {
  if (made === undefined) {
    const module = { exports: {} };
    ((require) => {
${text}
    })(() => weighbridge);
    made = module.exports;
  }
  return made;
}
if (__VU === 0) exports.options = script().options;
else if (weighbridge.needsScript) script();
else {
${UNUSED.map((name) => `  delete globalThis.${name};`).join('\n')}
}
exports.run = () => weighbridge.makeStart(false) || script().run();
exports.pool = () => script().pool();
`;
}
