/**
 * Runs the README's first commands as a newcomer would, in a fresh clone, and prints the seconds of each.
 * `npm run first-minutes`; what is committed is what is cloned. The gateway of one's own is an embedded one on loopback. Ends with 1
 * where a command does not end as it should.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startGateway } from '../src/gateway/start-gateway.ts';
import { firstCommands } from './first-minutes/first-commands.ts';

const root = resolve(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'weighbridge-first-'));
const clone = join(folder, 'weighbridge');
const gateway = await startGateway({ port: 0, seed: 1 });
try {
  const keyFile = join(folder, 'key.txt');
  writeFileSync(keyFile, gateway.ready.api_key, { mode: 0o600 });
  await timed('git clone', `git clone -q '${root}' '${clone}'`, folder);
  const readme = readFileSync(join(clone, 'README.md'), 'utf8');
  for (const { shown, run } of firstCommands(readme, gateway.ready.base_url))
    await timed(shown, run, clone, keyFile);
} finally {
  await gateway.close();
  rmSync(folder, { recursive: true, force: true });
}

async function timed(shown: string, command: string, cwd: string, keyFile?: string): Promise<void> {
  const started = performance.now();
  const child = spawn('sh', ['-c', command], {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: newcomersEnv(keyFile),
  });
  const said: string[] = [];
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => said.push(text));
  const [status] = await once(child, 'close');
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  // A past month of a gateway that was started just now holds nothing to check: exit 7 is the right answer.
  const fine = status === 0 || (status === 7 && shown.includes(' reconcile '));
  console.log(`${seconds.padStart(7)} s  exit ${status}  ${shown}`);
  for (const line of said
    .join('')
    .split('\n')
    .filter((each) => /^set-up: .*\(\d/.test(each)))
    console.log(`            ${line}`);
  if (fine) return;
  console.log(said.join('').slice(-4_000));
  process.exitCode = 1;
}

/** The shell of somebody who has never used it: nothing is configured but a key, and no k6 is built. */
function newcomersEnv(keyFile?: string): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !/^(WEIGHBRIDGE_|npm_)/.test(name));
  return { ...Object.fromEntries(kept), WEIGHBRIDGE_API_KEY_FILE: keyFile };
}
