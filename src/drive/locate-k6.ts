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
  throw noEngine(isMade ? 'it is still to be fetched or built' : `${engine.name} lacks ${engine.path}`);
}

function atAddress(address: string, sha256: string | null, pathOf: (hash: string) => string): Engine {
  const url = URL.parse(address);
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '')
    throw new WeighbridgeError({
      code: 'k6_address_invalid',
      message: 'WEIGHBRIDGE_K6 should be a path, or an https address without user and password',
      hint: 'give https://host/path/k6, or fetch the file yourself and give its path',
    });
  if (sha256 === null)
    throw new WeighbridgeError({
      code: 'k6_hash_missing',
      message:
        'WEIGHBRIDGE_K6 names an address: what it serves is run only by its SHA-256, and none is given',
      hint: 'set WEIGHBRIDGE_K6_SHA256 to the SHA-256 of the file, as whoever built it published it',
    });
  return { from: 'address', path: pathOf(sha256), address, sha256 };
}

function fetchedTo(sha256: string, env: Env, root: string): string {
  return join(cacheFolder(root, env), 'k6', `sha256-${sha256}`, K6_FILE);
}

function hashInvalid(): WeighbridgeError {
  return new WeighbridgeError({
    code: 'k6_hash_invalid',
    message: 'WEIGHBRIDGE_K6_SHA256 should be 64 hexadecimal digits',
    hint: 'give what sha256sum prints of the file',
  });
}

function noFile(path: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'k6_not_found',
    message: `WEIGHBRIDGE_K6 should be the path of our k6 binary; there is no file at ${path}`,
    hint: 'give the path of one, or unset WEIGHBRIDGE_K6; weighbridge doctor says what is taken then',
  });
}

function noEngine(why: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'k6_not_found',
    message: `expected k6 with our extension, found none: ${why}`,
    hint: 'set WEIGHBRIDGE_K6 to a ready binary; weighbridge doctor says what else will do',
  });
}
