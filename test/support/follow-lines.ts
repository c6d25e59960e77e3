import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { locateK6 } from '../../src/drive/locate-k6.ts';
import { cleanEnv, ROOT, scratchDir } from './run-weighbridge.ts';

/** Runs lines of a page as a shell would, in a folder like a clone, with `weighbridge` and our `k6` on the path. */
export async function followLines(lines: string, env: Readonly<Record<string, string>>, dir = scratchDir()) {
  if (!existsSync(join(dir, 'bin'))) {
    mkdirSync(join(dir, 'bin'));
    for (const name of ['scenarios', 'src', 'xk6']) symlinkSync(join(ROOT, name), join(dir, name));
    symlinkSync(locateK6(process.env), join(dir, 'bin/k6'));
  }
  const weighbridge = `#!/bin/sh\nexec '${process.execPath}' '${join(ROOT, 'bin/weighbridge.mjs')}' "$@"\n`;
  writeFileSync(join(dir, 'bin/weighbridge'), weighbridge, { mode: 0o755 });
  const child = spawn('sh', ['-euc', lines], {
    cwd: dir,
    env: cleanEnv({ PATH: `${join(dir, 'bin')}:${process.env['PATH'] ?? ''}`, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      said += text;
    });
  }
  const status = await new Promise<number | null>((done) => child.once('close', done));
  return { dir, status, said };
}
