/**
 * Builds the engine packages: our k6 for linux, macOS and Windows, on x64 and arm64, each twice, and packs them into build/.
 * `npm run build:engines`; `-- --only linux-x64` builds one, `--once` leaves out the second build. What is built already of these
 * sources by this Go is not built again. Pack the main package afterwards: it takes the hashes along.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { sourceHash } from '../bin/setup/k6.mjs';
import { readRevision } from '../src/app/version/version.ts';
import { systemName } from '../src/contracts/engine-list.ts';
import { buildAnew, buildEngine, sha256Of } from './engines/build-engine.ts';
import { type BuiltEngines, enginesFolder, indexFile, readBuiltEngines } from './engines/built-engines.ts';
import { engineName, writePackage } from './engines/engine-package.ts';
import { chosenSystems, type EngineSystem } from './engines/engine-systems.ts';

const { values } = parseArgs({ options: { only: { type: 'string' }, once: { type: 'boolean' } } });
const root = resolve(import.meta.dirname, '..');
const source = join(root, 'xk6');
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')));
const go = execFileSync('go', ['env', 'GOVERSION'], { cwd: source, encoding: 'utf8' }).trim();

const known = readBuiltEngines(root);
let built: BuiltEngines = known?.go === go ? known : { source: sourceHash(root), go, twice: [], engines: {} };
for (const system of chosenSystems(values.only)) {
  const started = performance.now();
  const engine = build(system);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  console.log(`${system.name.padEnd(13)} ${engine.bytes} bytes  sha256 ${engine.sha256}  ${seconds} s`);
}

function build(system: EngineSystem) {
  const folder = join(enginesFolder(root), system.name);
  const file = join(folder, 'bin', system.os === 'win32' ? 'k6.exe' : 'k6');
  const before = built.engines[system.name];
  const isThere = before !== undefined && existsSync(file) && sha256Of(file) === before.sha256;
  const sha256 = isThere ? before.sha256 : buildEngine(source, system, file);
  const compared = isThere && built.twice.includes(system.name);
  if (!compared && values.once !== true) compare(system, sha256);
  const twice = compared || values.once !== true;
  const name = engineName(system);
  writePackage(folder, source, system, {
    ...{ name, version, sha256, go, twice },
    revision: readRevision(`${root}/`),
    ran: runs(system, file),
  });
  execFileSync('npm', ['pack', '--silent', '--pack-destination', join(root, 'build')], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const engine = { package: name, version, sha256, bytes: statSync(file).size };
  built = {
    ...built,
    engines: { ...built.engines, [system.name]: engine },
    twice: [...built.twice.filter((one) => one !== system.name), ...(twice ? [system.name] : [])],
  };
  mkdirSync(enginesFolder(root), { recursive: true });
  writeFileSync(indexFile(root), `${JSON.stringify(built, null, 2)}\n`);
  return engine;
}

function compare(system: EngineSystem, first: string): void {
  const second = buildAnew(source, system);
  if (second !== first)
    throw new Error(`${system.name}: two builds differ: ${first} and ${second}. Nothing is packed.`);
}

/** Others are built for machines that nobody here has. */
function runs(system: EngineSystem, file: string): boolean {
  if (system.name !== systemName()) return false;
  const said = execFileSync(file, ['version'], { encoding: 'utf8' });
  if (!said.includes('k6/x/weighbridge')) throw new Error(`${file} is a k6 without our extension`);
  return true;
}
