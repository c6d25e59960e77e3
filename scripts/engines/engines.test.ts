import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sourceHash } from '../../bin/setup/k6.mjs';
import { buildCommand } from './build-engine.ts';
import { indexFile, listedEngines } from './built-engines.ts';
import { linkedLicences } from './engine-package.ts';
import { chosenSystems, ENGINE_SYSTEMS } from './engine-systems.ts';

test('six systems are built for, as Node and as Go name them', () => {
  expect(ENGINE_SYSTEMS.map(({ name, goos, goarch }) => `${name} ${goos}/${goarch}`)).toEqual([
    'linux-x64 linux/amd64',
    'linux-arm64 linux/arm64',
    'darwin-x64 darwin/amd64',
    'darwin-arm64 darwin/arm64',
    'win32-x64 windows/amd64',
    'win32-arm64 windows/arm64',
  ]);
  expect(chosenSystems('darwin-arm64,linux-x64').map(({ name }) => name)).toEqual([
    'darwin-arm64',
    'linux-x64',
  ]);
  expect(() => chosenSystems('linux-x46')).toThrow('found linux-x46');
});

test('the command that a package names builds for its system, with flags that give the same bytes anywhere', () => {
  const [linux] = chosenSystems('linux-x64');
  if (linux === undefined) throw new Error('no linux-x64');
  expect(buildCommand(linux)).toBe(
    'cd xk6 && CGO_ENABLED=0 GOOS=linux GOARCH=amd64 go build -trimpath -buildvcs=false -ldflags "-s -w" -o k6 ./cmd/k6',
  );
});

test('what is linked comes with its licence and its notice, each under its name', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wb-linked-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const file of ['LICENSE.md', 'NOTICE', 'COPYING', 'unlicense.txt', 'README.md'])
    writeFileSync(join(folder, file), `text of ${file}\n`);
  const told = linkedLicences([{ name: 'example.org/x', version: 'v1.2.3', folder }]);
  expect(
    [...told.matchAll(/^example\.org\/x v1\.2\.3: (\S+)\n\ntext of \1$/gm)].map(([, file]) => file),
  ).toEqual(['COPYING', 'LICENSE.md', 'NOTICE', 'unlicense.txt']);
  expect(told).not.toContain('README');
});

test('a package is packed with the hashes of its own sources alone', () => {
  const root = mkdtempSync(join(tmpdir(), 'wb-engines-'));
  onTestFinished(() => rmSync(root, { recursive: true }));
  mkdirSync(join(root, 'xk6'));
  mkdirSync(join(root, 'build/engines'), { recursive: true });
  writeFileSync(join(root, 'xk6/go.mod'), 'module example\n');
  expect(listedEngines(root)).toEqual({ engines: {} });
  const engine = {
    package: '@weighbridge/engine-linux-x64',
    version: '1.0.0',
    sha256: 'ab'.repeat(32),
    bytes: 3,
  };
  const built = { source: sourceHash(root), go: 'go1.26.8', twice: [], engines: { 'linux-x64': engine } };
  writeFileSync(indexFile(root), JSON.stringify(built));
  expect(listedEngines(root)).toEqual({ engines: { 'linux-x64': engine } });
  writeFileSync(join(root, 'xk6/go.mod'), 'module example // changed\n');
  expect(listedEngines(root)).toEqual({ engines: {} });
});
