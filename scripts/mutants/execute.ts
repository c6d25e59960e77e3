import { spawn } from 'node:child_process';
import { resolve } from 'node:path';

/** A vitest starts a process for each mutant: most of that is to compile packages, which are the same for all lanes. */
const COMPILED = resolve(import.meta.dirname, '../../.cache/modules');

export interface Ended {
  readonly status: number | null;
  readonly output: string;
}

/** What tests see of the surroundings: no terminal, and no load engine but their own. */
export function testEnvironment(): NodeJS.ProcessEnv {
  return { ...process.env, CI: 'true', WEIGHBRIDGE_K6: '', NODE_COMPILE_CACHE: COMPILED };
}

/** Runs a command to its end; a command that cannot be started has no status. */
export function execute(
  command: string,
  args: readonly string[],
  cwd: string,
  more: NodeJS.ProcessEnv = {},
): Promise<Ended> {
  return new Promise((done) => {
    const env = { ...testEnvironment(), ...more };
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.once('error', (error) => done({ status: null, output: `${output}${error.message}` }));
    child.once('close', (status) => done({ status, output }));
  });
}
