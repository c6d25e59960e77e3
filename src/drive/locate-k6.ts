import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder } from '../../bin/setup/cache-folder.mjs';
import { builtK6, K6_FILE } from '../../bin/setup/k6.mjs';
import { WeighbridgeError } from '../contracts/failure.ts';
import { installedEngine } from './installed-engine.ts';

const PACKAGE_ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

type Env = Readonly<Record<string, string | undefined>>;

/** Our k6, and where it comes from. Stock k6 lacks the extension and will not do. */
export type Engine = {
  /** Where it stands, or will once it is fetched or built. */
  readonly path: string;
  /** What its bytes must hash to; null where nobody said. */
  readonly sha256: string | null;
} & (
  | { readonly from: 'file' }
  | { readonly from: 'address'; readonly address: string; readonly sha256: string }
  | { readonly from: 'package'; readonly name: string; readonly sha256: string }
  /** `why`: no package was taken. */
  | { readonly from: 'go'; readonly why: string }
);

/** Chooses the first that there is of: what WEIGHBRIDGE_K6 names, the engine package, Go. Fetches and builds nothing. */
export function chooseEngine(env: Env, root = PACKAGE_ROOT): Engine {
  const given = env['WEIGHBRIDGE_K6'] ?? '';
  const told = env['WEIGHBRIDGE_K6_SHA256'] ?? '';
  if (told !== '' && !/^[0-9a-f]{64}$/i.test(told)) throw hashInvalid();
  const sha256 = told === '' ? null : told.toLowerCase();
  if (/^\w+:\/\//.test(given)) return atAddress(given, sha256, (hash) => fetchedTo(hash, env, root));
  if (given !== '') return { from: 'file', path: given, sha256 };
  const installed = installedEngine(root);
  if (typeof installed === 'object') return { from: 'package', ...installed };
  if (!existsSync(join(root, 'xk6'))) throw noEngine(installed);
  return { from: 'go', path: builtK6(root, env), sha256: null, why: installed };
}

/** Path of the k6 that is there; throws `k6_not_found` where it is still to be fetched or built. */
export function locateK6(env: Env, root = PACKAGE_ROOT): string {
  const engine = chooseEngine(env, root);
  if (existsSync(engine.path)) return engine.path;
  if (engine.from === 'file') throw noFile(engine.path);
  const isMade = engine.from !== 'package';
  throw noEngine(
    isMade
      ? 'it is not downloaded or built yet'
      : `the package ${engine.name} does not contain ${engine.path}`,
  );
}

function atAddress(address: string, sha256: string | null, pathOf: (hash: string) => string): Engine {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw new WeighbridgeError({
      code: 'k6_address_invalid',
      message: 'WEIGHBRIDGE_K6 must be a path, or an https address without user and password.',
      hint: 'Give https://host/path/k6, or download the file and give its path.',
    });
  if (sha256 === null)
    throw new WeighbridgeError({
      code: 'k6_hash_missing',
      message:
        'WEIGHBRIDGE_K6 is an address, and WEIGHBRIDGE_K6_SHA256 is not set. A downloaded file is started only with its SHA-256.',
      hint: 'Set WEIGHBRIDGE_K6_SHA256 to the SHA-256 that the builder of the file published.',
    });
  return { from: 'address', path: pathOf(sha256), address, sha256 };
}

function fetchedTo(sha256: string, env: Env, root: string): string {
  return join(cacheFolder(root, env), 'k6', `sha256-${sha256}`, K6_FILE);
}

function hashInvalid(): WeighbridgeError {
  return new WeighbridgeError({
    code: 'k6_hash_invalid',
    message: 'WEIGHBRIDGE_K6_SHA256 must have 64 hexadecimal digits.',
    hint: 'Give the value that sha256sum prints for the file.',
  });
}

function noFile(path: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'k6_not_found',
    message: `WEIGHBRIDGE_K6 names a file that does not exist: ${path}.`,
    hint: 'Correct the path, or unset WEIGHBRIDGE_K6. weighbridge doctor shows which load engine is used then.',
  });
}

function noEngine(why: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'k6_not_found',
    message: `There is no load engine (k6 with the Weighbridge extension): ${why}.`,
    hint: 'Run npm run setup in a clone, or set WEIGHBRIDGE_K6 to a ready binary. weighbridge doctor shows other ways.',
  });
}
