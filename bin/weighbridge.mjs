#!/usr/bin/env node
// Plain JavaScript that older versions of Node can run, too: they must get a clear line, not a syntax error.
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const NEEDED = [22, 19, 0];

const found = process.versions.node;
// In a clone set-up brings a Node of its own: whatever stands first on the PATH, a command works from any folder.
const brought = fileURLToPath(
  new URL(`../node_modules/node/bin/node${process.platform === 'win32' ? '.exe' : ''}`, import.meta.url),
);
if (isOlder(found.split('.').map(Number), NEEDED)) {
  if (existsSync(brought)) await runUnder(brought);
  else refuseNode();
} else {
  if (process.argv[2] === 'probe') keepHeapSteady();
  // Packed, there is dist/; a clone runs its sources, which Node refuses under node_modules.
  const packed = new URL('../dist/cli/main.js', import.meta.url);
  const source = new URL('../src/cli/main.ts', import.meta.url);
  const isClone = existsSync(source);
  if (isClone && !existsSync(new URL('../node_modules/commander', import.meta.url))) {
    refuse(
      'not_set_up',
      'This clone has no installed dependencies.',
      'A clone contains only sources.',
      'Run "npm run setup" in the clone.',
    );
  } else {
    // In a folder of the clone, not the default one in the shared temporary folder: what lies there is run.
    if (isClone) module.enableCompileCache(fileURLToPath(new URL('../.cache/compiled', import.meta.url)));
    await import(isClone ? source.href : packed.href);
  }
}

function refuseNode() {
  refuse(
    'node_too_old',
    `Weighbridge needs Node ${NEEDED.join('.')} or newer, and this is Node ${found}.`,
    'Older versions of Node lack functions that Weighbridge uses.',
    'Install Node 24 from https://nodejs.org. In a clone, "npm run setup" installs it.',
  );
}

/**
 * Prints an error as the commands do, whose code cannot be loaded here.
 * @param {string} code
 * @param {string} message
 * @param {string} why
 * @param {string} fix
 */
function refuse(code, message, why, fix) {
  console.error(`error: ${message}\n  why: ${why}\n  fix: ${fix}\n code: ${code} (docs/errors.md#${code})`);
  process.exitCode = 2;
}

/** Ends as the command does. @param {string} node */
async function runUnder(node) {
  const { spawn } = await import('node:child_process');
  const args = [fileURLToPath(import.meta.url), ...process.argv.slice(2)];
  const child = spawn(node, args, { stdio: 'inherit' });
  for (const signal of ['SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  // A terminal sends it to both, and a second one would cut the calls in flight.
  process.on('SIGINT', () => undefined);
  const [code, signal] = await new Promise((done) => child.once('close', (...end) => done(end)));
  if (signal === null) process.exitCode = code;
  else {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  }
}

/**
 * For a process that watches, the same one with flags that V8 takes at its start alone. It takes a process that allocates little
 * for one that rests, and marks its whole heap again and again to keep it small: at 60 probes nine times in two minutes, each
 * time on four threads, which on one core leave the event loop a fifth of it for 90 ms.
 */
function keepHeapSteady() {
  const flags = ['--no-memory-reducer', '--v8-pool-size=1'];
  // Older versions and Windows have no such call: there the daemon runs all the same.
  if (process.execve === undefined || flags.every((flag) => process.execArgv.includes(flag))) return;
  process.execve(process.execPath, [
    process.execPath,
    ...process.execArgv,
    ...flags,
    ...process.argv.slice(1),
  ]);
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
