/**
 * The whole release as a dry run: checks, packages, engines, the extension's own tree, SBOMs, notes, hashes. It publishes nothing.
 * `npm run release -- --dry-run`; `--tests` runs every test too, `--skip-engines` leaves out the builds for all systems.
 * All of it comes to build/release. Ends with 1 where a step fails; what only a publication can show is listed as open.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { newestSection } from './release/changelog-section.ts';
import { extensionTree, MODULE, moduleZip } from './release/extension-tree.ts';
import { versionFaults } from './release/release-version.ts';
import { repositoryOf } from './release/repository.ts';
import { sumsOf } from './release/sums.ts';

const root = resolve(import.meta.dirname, '..');
const out = join(root, 'build/release');
const read = (name: string): string => readFileSync(join(root, name), 'utf8');

const manifest = z
  .object({
    version: z.string(),
    repository: z.object({ url: z.string() }),
    scripts: z.record(z.string(), z.string()),
  })
  .parse(JSON.parse(read('package.json')));
const { version } = manifest;
const repository = repositoryOf(manifest.repository.url);

const { values: flags } = parseArgs({
  options: {
    'dry-run': { type: 'boolean', default: false },
    tests: { type: 'boolean', default: false },
    'skip-engines': { type: 'boolean', default: false },
  },
});
if (!flags['dry-run']) {
  console.error(
    'expected --dry-run: publishing is done from a tag by .github/workflows/release.yml, as docs/releasing.md says',
  );
  process.exit(2);
}

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
let failed = 0;

step('version', () =>
  versionFaults({ version, changelog: read('CHANGELOG.md'), extension: read('xk6/version/version.go') }),
);
step('checks', () => [
  ...run('npm', 'run', 'check'),
  ...run(process.execPath, 'scripts/generate.ts', '--check'),
]);
if (flags.tests) step('tests', () => run('npm', 'test'));
if (!flags['skip-engines']) step('engines', engines);
step('package', () => run('npm', 'pack', '--silent', '--pack-destination', out));
step('extension', extension);
step('SBOM', () => copied('sbom/*.cdx.json'));
step('notes', notes);
step('hashes', () => {
  writeFileSync(join(out, 'SHA256SUMS'), sumsOf(out));
  return [];
});

for (const line of readFileSync(join(out, 'SHA256SUMS'), 'utf8').trimEnd().split('\n'))
  console.log(`      ${line}`);
for (const line of open()) console.log(`open  ${line}`);
console.log(
  failed === 0 ? `${version} is in build/release; nothing was published` : `${failed} steps failed`,
);
process.exitCode = failed === 0 ? 0 : 1;

/** `work` gives what is wrong, one line each. */
function step(name: string, work: () => readonly string[]): void {
  const started = performance.now();
  const faults = work();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${faults.length === 0 ? 'ok  ' : 'FAIL'}  ${name} (${seconds} s)`);
  for (const fault of faults) console.log(`      ${fault}`);
  if (faults.length > 0) failed += 1;
}

function run(command: string, ...args: readonly string[]): readonly string[] {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: root, encoding: 'utf8' });
  if (status === 0) return [];
  return [
    `${[basename(command), ...args].join(' ')} ended with ${status}`,
    ...`${stdout}${stderr}`.trimEnd().split('\n').slice(-20),
  ];
}

/** Before the main package: it takes their hashes along. */
function engines(): readonly string[] {
  if (manifest.scripts['build:engines'] === undefined) return ['no script build:engines in package.json'];
  const faults = run('npm', 'run', 'build:engines');
  return faults.length > 0 ? faults : copied('build/*engine*.tgz');
}

/** The tree that its own repository holds, and the same as a Go proxy serves it. */
function extension(): readonly string[] {
  const module = repository.module ?? MODULE;
  const tree = extensionTree(root, module);
  for (const [name, bytes] of tree) {
    const path = join(out, 'xk6-weighbridge', name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
  }
  writeFileSync(join(out, `xk6-weighbridge-${version}.zip`), moduleZip(tree, module, version));
  return [];
}

function notes(): readonly string[] {
  const section = newestSection(read('CHANGELOG.md'));
  if (section === null) return ['CHANGELOG.md has no section of a version'];
  writeFileSync(join(out, 'NOTES.md'), `${section.notes}\n`);
  return [];
}

function copied(pattern: string): readonly string[] {
  const found = globSync(pattern, { cwd: root });
  for (const name of found) copyFileSync(join(root, name), join(out, basename(name)));
  return found.length === 0 ? [`nothing is called ${pattern}`] : [];
}

/** What no dry run can show. */
function open(): readonly string[] {
  const changed = spawnSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' }).stdout.trim();
  return [
    ...(changed === '' ? [] : ['the tree has changes that are not committed']),
    ...(repository.module === null
      ? [`package.json: repository.url leads nowhere yet (${repository.url})`]
      : []),
    'npm registry: name free, provenance accepted; k6 registry: entry accepted (docs/releasing.md)',
    'macOS and Windows: engines are built, and were run on linux alone',
  ];
}
