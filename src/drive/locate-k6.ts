import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EXIT } from '../contracts/exit-code.ts';
import { WeighbridgeError } from '../contracts/failure.ts';

const PACKAGE_ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

/** Path of our k6: WEIGHBRIDGE_K6, else the one that set-up built. Stock k6 lacks the extension and will not do. */
export function locateK6(env: Readonly<Record<string, string | undefined>>, root = PACKAGE_ROOT): string {
  const given = env['WEIGHBRIDGE_K6'];
  if (given !== undefined && given !== '') {
    if (existsSync(given)) return given;
    throw new WeighbridgeError({
      code: 'k6_not_found',
      message: `WEIGHBRIDGE_K6 should be the path of our k6 binary; there is no file at ${given}`,
      hint: 'build it with `npm run setup`, or unset WEIGHBRIDGE_K6',
      exitCode: EXIT.usage,
    });
  }
  const pointer = join(root, '.cache/k6/current');
  const built = existsSync(pointer) ? readFileSync(pointer, 'utf8').trim() : '';
  if (built !== '' && existsSync(built)) return built;
  throw new WeighbridgeError({
    code: 'k6_not_found',
    message: 'expected k6 with our extension, found none built',
    hint: 'run `npm run setup` (needs Go 1.25 or later), or set WEIGHBRIDGE_K6 to a ready binary',
    exitCode: EXIT.usage,
  });
}
