import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { systemName } from '../contracts/engine-list.ts';
import { chooseEngine, locateK6 } from './locate-k6.ts';

const HASH = 'ab'.repeat(32);
const SYSTEM = systemName();
const NAME = `@weighbridge/engine-${SYSTEM}`;

let dir = '';
let root = '';

/** A package as npm installs it, with the sources of k6. */
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'wb-engine-'));
  root = join(dir, 'node_modules/weighbridge');
  write(join(root, 'package.json'), '{}');
  write(join(root, 'xk6/go.mod'), 'module example\n');
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

function write(path: string, text: string): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

function packedWith(...systems: readonly string[]): void {
  const engine = { package: NAME, version: '1.2.3', sha256: HASH, bytes: 4 };
  const engines = Object.fromEntries(systems.map((system) => [system, engine]));
  write(join(root, 'dist/engines.json'), JSON.stringify({ engines }));
}

function install(): string {
  const folder = join(dir, 'node_modules', NAME);
  write(join(folder, 'package.json'), '{}');
  return write(join(folder, 'bin', process.platform === 'win32' ? 'k6.exe' : 'k6'), 'k6');
}

const env = () => ({ HOME: join(dir, 'home') });

test('what the user gives comes first, then the engine package, then Go', () => {
  packedWith(SYSTEM);
  expect(chooseEngine(env(), root)).toMatchObject({ from: 'go', why: `${NAME} 1.2.3 is not installed` });
  const path = install();
  expect(chooseEngine(env(), root)).toEqual({ from: 'package', name: NAME, path, sha256: HASH });
  const given = write(join(dir, 'own'), 'k6');
  const own = { ...env(), WEIGHBRIDGE_K6: given };
  expect(chooseEngine(own, root)).toEqual({ from: 'file', path: given, sha256: null });
  expect(chooseEngine({ ...own, WEIGHBRIDGE_K6_SHA256: HASH.toUpperCase() }, root)).toMatchObject({
    from: 'file',
    sha256: HASH,
  });
  expect(locateK6(own, root)).toBe(given);
});

test.each([
  ['none was packed', [], 'this build was packed without engine packages'],
  ['none for this system', ['plan9-x64'], `this build was packed without an engine package for ${SYSTEM}`],
])('an engine package whose hash is not known is not taken: %s', (_, systems, why) => {
  packedWith(...systems);
  install();
  expect(chooseEngine(env(), root)).toMatchObject({ from: 'go', why });
});

test('a clone takes no engine package, though one stands there', () => {
  packedWith(SYSTEM);
  install();
  write(join(root, 'package-lock.json'), '{}');
  expect(chooseEngine(env(), root)).toMatchObject({ from: 'go', why: 'a clone takes no engine package' });
});

test('Go builds into the cache of the user, as XDG has it; of a clone into its own', () => {
  const built = (more: object) => chooseEngine({ ...env(), ...more }, root).path;
  expect(built({}).startsWith(join(dir, 'home/.cache/weighbridge/k6/'))).toBe(true);
  const xdg = join(dir, 'xdg');
  expect(built({ XDG_CACHE_HOME: xdg }).startsWith(join(xdg, 'weighbridge/k6/'))).toBe(true);
  expect(built({ XDG_CACHE_HOME: 'here' }).startsWith(join(dir, 'home/.cache/'))).toBe(true);
  write(join(root, 'package-lock.json'), '{}');
  expect(built({ XDG_CACHE_HOME: xdg }).startsWith(join(root, '.cache/k6/'))).toBe(true);
});

test('an address is taken by its SHA-256 alone, over https, without credentials', () => {
  const at = (WEIGHBRIDGE_K6: string, WEIGHBRIDGE_K6_SHA256 = HASH) =>
    chooseEngine({ ...env(), WEIGHBRIDGE_K6, WEIGHBRIDGE_K6_SHA256 }, root);
  expect(at('https://host/k6')).toMatchObject({ from: 'address', sha256: HASH });
  expect(() => at('https://host/k6', '')).toThrow('WEIGHBRIDGE_K6_SHA256 is not set');
  expect(() => at('https://host/k6', 'abc')).toThrow('64 hexadecimal digits');
  for (const address of ['http://host/k6', 'file:///k6', 'https://me:secret@host/k6']) {
    expect(() => at(address)).toThrow('an https address without user and password');
    expect(() => at(address)).not.toThrow('secret');
  }
});

test('a k6 that is not there is told, with what mends it', () => {
  const gone = { ...env(), WEIGHBRIDGE_K6: '/nowhere/k6' };
  expect(() => locateK6(gone, root)).toThrow('does not exist: /nowhere/k6');
  expect(() => locateK6(env(), root)).toThrow('it is not downloaded or built yet');
  packedWith(SYSTEM);
  const path = install();
  rmSync(path);
  expect(() => locateK6(env(), root)).toThrow(`the package ${NAME} does not contain ${path}`);
  rmSync(join(dir, 'node_modules/@weighbridge'), { recursive: true });
  rmSync(join(root, 'dist'), { recursive: true });
  rmSync(join(root, 'xk6'), { recursive: true });
  expect(() => chooseEngine(env(), root)).toThrow(
    '(k6 with the Weighbridge extension): this build knows no engine packages',
  );
});

test('a clone that was moved finds the k6 that was built before its sources changed', () => {
  write(join(root, 'package-lock.json'), '{}');
  write(join(root, '.cache/k6/0123/k6'), 'k6');
  write(join(root, '.cache/k6/current'), '.cache/k6/0123/k6\n');
  expect(locateK6(env(), root)).toBe(join(root, '.cache/k6/0123/k6'));
});
