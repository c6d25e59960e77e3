#!/usr/bin/env node
// Plain JavaScript that older versions of Node can run, too: they must get a clear line, not a syntax error.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const NEEDED = [22, 19, 0];

const found = process.versions.node;
if (isOlder(found.split('.').map(Number), NEEDED)) {
  console.error(
    `weighbridge needs Node ${NEEDED.join('.')} or newer and found ${found}: install Node 24 from https://nodejs.org; in a clone, "npm run setup" brings it and "npx node bin/weighbridge.mjs" uses it`,
  );
  process.exitCode = 2;
} else {
  // Packed, there is dist/; a clone runs its sources, which Node refuses under node_modules.
  const packed = new URL('../dist/cli/main.js', import.meta.url);
  const source = new URL('../src/cli/main.ts', import.meta.url);
  const isClone = existsSync(source);
  if (isClone && !existsSync(new URL('../node_modules/commander', import.meta.url))) {
    console.error('weighbridge is not set up in this clone: run "npm run setup" first');
    process.exitCode = 2;
  } else {
    // In a folder of the clone, not the default one in the shared temporary folder: what lies there is run.
    if (isClone) module.enableCompileCache(fileURLToPath(new URL('../.cache/compiled', import.meta.url)));
    await import(isClone ? source.href : packed.href);
  }
}

/**
 * @param {number[]} version
 * @param {number[]} needed
 */
function isOlder(version, needed) {
  for (let part = 0; part < needed.length; part += 1) {
    if (version[part] !== needed[part]) return version[part] < needed[part];
  }
  return false;
}
