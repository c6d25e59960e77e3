/**
 * Builds dist/ for the package: JavaScript of src/, the types of what programs import, what src/ holds beside
 * TypeScript, the bundled scenarios, and the hashes of the engine packages.
 * `node scripts/build-package.ts`; `npm pack` runs it first.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { readRevision } from '../src/app/version/version.ts';
import { listedEngines } from './engines/built-engines.ts';

const root = resolve(import.meta.dirname, '..');
const dist = join(root, 'dist');

rmSync(dist, { recursive: true, force: true });
compile();
declare();
copyAssets();
noteRevision();
noteEngines();
run(process.execPath, [join(root, 'scripts/bundle-scenarios.ts')]);

/** The root tsconfig checks everything and emits nothing: this one, made for the build, emits src/ alone. */
function compile(): void {
  tsc('tsconfig.build.json', {
    compilerOptions: { noEmit: false, rootDir: '../src', outDir: '../dist' },
    include: ['../src/**/*.ts'],
    // What only tests load may itself load what stands under test/. Dashboards are written when the project is generated;
    // their packages are not installed with ours.
    exclude: ['../src/**/*.test.ts', '../src/**/*.test-support.ts', '../src/dashboards/**'],
  });
}

/** Types of what programs import by name (`exports` of package.json), and of what these in turn name. */
function declare(): void {
  tsc('tsconfig.types.json', {
    compilerOptions: {
      noEmit: false,
      declaration: true,
      emitDeclarationOnly: true,
      rootDir: '../src',
      outDir: '../dist',
    },
    include: [],
    files: ['../src/record/record.ts'],
  });
}

function tsc(name: string, options: object): void {
  const config = join(root, '.cache', name);
  mkdirSync(dirname(config), { recursive: true });
  writeFileSync(config, JSON.stringify({ extends: '../tsconfig.json', ...options }));
  run(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', config]);
}

function copyAssets(): void {
  const source = join(root, 'src');
  for (const entry of readdirSync(source, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile() || entry.name.endsWith('.ts') || entry.name === 'tsconfig.json') continue;
    const from = join(entry.parentPath, entry.name);
    const to = join(dist, relative(source, from));
    mkdirSync(dirname(to), { recursive: true });
    cpSync(from, to);
  }
}

/** An installed package has no git to ask: it is told which commit it was built from, as `--version` prints it. */
function noteRevision(): void {
  writeFileSync(join(dist, 'build.json'), `${JSON.stringify({ revision: readRevision(`${root}/`) })}\n`);
}

/**
 * The package starts no engine package but those whose hashes it was packed with: a hash that is committed would be wrong after
 * each change of the Go sources.
 */
function noteEngines(): void {
  const list = listedEngines(root);
  writeFileSync(join(dist, 'engines.json'), `${JSON.stringify(list, null, 2)}\n`);
  const names = Object.keys(list.engines);
  console.error(
    names.length === 0
      ? 'engines: none is built of these sources (npm run build:engines): this package builds k6 with Go'
      : `engines: takes ${names.join(', ')}`,
  );
}

function run(command: string, args: readonly string[]): void {
  const script = args[0] ?? '';
  if (!existsSync(script)) throw new Error(`build: ${relative(root, script)} does not exist`);
  const done = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] });
  if (done.status !== 0) throw new Error(`build: ${relative(root, script)} ended with ${done.status}`);
}
