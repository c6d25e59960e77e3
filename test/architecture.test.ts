import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), '..');

/** What every folder above them may import. */
const BELOW = ['core', 'text', 'secrets', 'contracts', 'workload', 'wire'] as const;

/** Which folder of src may import which others; `types` means `import type` only. The reason stands in docs/architecture.md. */
const MAY_IMPORT: Readonly<Record<string, { values: readonly string[]; types: readonly string[] }>> = {
  core: { values: [], types: [] },
  text: { values: [], types: [] },
  secrets: { values: [], types: [] },
  contracts: { values: ['core'], types: [] },
  workload: { values: ['core'], types: ['contracts'] },
  wire: { values: ['core', 'text', 'contracts'], types: [] },
  files: { values: [...BELOW], types: [] },
  config: { values: [...BELOW], types: [] },
  pricebook: { values: [...BELOW, 'files'], types: [] },
  plan: { values: [...BELOW, 'config', 'pricebook'], types: [] },
  drive: { values: [...BELOW], types: ['plan', 'ledger'] },
  client: { values: [...BELOW], types: [] },
  state: { values: [...BELOW, 'files'], types: [] },
  ledger: { values: [...BELOW], types: [] },
  record: { values: [...BELOW, 'ledger'], types: [] },
  collect: { values: [...BELOW, 'client', 'ledger', 'pricebook'], types: [] },
  measure: { values: [...BELOW, 'ledger'], types: [] },
  reconcile: { values: [...BELOW, 'ledger', 'pricebook'], types: [] },
  // The habits and the spellings of models that it judges by are those of the reconciler.
  chain: { values: [...BELOW, 'reconcile'], types: [] },
  bill: { values: [...BELOW, 'config', 'reconcile'], types: [] },
  report: { values: [...BELOW, 'files', 'ledger'], types: ['pricebook', 'measure', 'reconcile'] },
  gateway: { values: [...BELOW, 'files', 'config', 'state'], types: [] },
  probe: {
    values: [...BELOW, 'files', 'config', 'state', 'client', 'ledger', 'pricebook', 'collect', 'reconcile'],
    types: [],
  },
  kubernetes: { values: [...BELOW, 'config'], types: [] },
  // For `npm run generate` alone: its packages are not shipped.
  dashboards: { values: [...BELOW], types: [] },
  app: {
    values: [
      ...BELOW,
      'files',
      'config',
      'state',
      'pricebook',
      'plan',
      'drive',
      'client',
      'ledger',
      'collect',
      'measure',
      'reconcile',
      'chain',
      'bill',
      'report',
      'gateway',
      'probe',
      'kubernetes',
    ],
    types: [],
  },
  // Configuration for the values of flags, plan and report for their words.
  cli: { values: ['app', ...BELOW, 'config', 'plan', 'report'], types: [] },
};

/** Packages that reach the network; only these folders may use them. */
const NETWORK_PACKAGES = [
  'undici',
  'fastify',
  '@fastify/multipart',
  'node:http',
  'node:https',
  'node:net',
  'node:tls',
];
/** The last two serve pages of our own, and call nobody. */
const NETWORK_FOLDERS = ['client', 'gateway', 'probe/server', 'app/live/page'];

/** The native module of the store: loaded when a store is opened, and by nothing else. */
const STORE_PACKAGES = /^@duckdb\//;
const STORE_FOLDER = 'src/ledger/store/';

interface Import {
  readonly file: string;
  readonly from: string;
  readonly specifier: string;
  readonly typeOnly: boolean;
  /** Loaded while it runs, where it is come to. */
  readonly later: boolean;
}

/** With names, for its effects alone, or while it runs. No name list holds a quote or semicolon: none reaches into the next import. */
const IMPORT = /^(?:import|export)\s+(type\s+)?(?:[^;']*?\sfrom\s+)?'([^']+)';|\bimport\('([^']+)'\)/gm;

function sourceFiles(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(
      (name) =>
        name.endsWith('.ts') &&
        !name.endsWith('.test.ts') &&
        !name.endsWith('.d.ts') &&
        !name.includes('test-support'),
    )
    .map((name) => join(folder, name));
}

/** Files of the extension without its tests, from `xk6` on. */
function goFiles(): string[] {
  return readdirSync(join(ROOT, 'xk6'), { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.go') && !name.endsWith('_test.go'),
  );
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(IMPORT)].map((match) => ({
    file,
    from: file.split('/')[1] ?? '',
    specifier: match[2] ?? match[3] ?? '',
    typeOnly: match[1] !== undefined,
    later: match[3] !== undefined,
  }));
}

function violation(item: Import): string | null {
  const rule = MAY_IMPORT[item.from];
  if (rule === undefined) return `${item.file}: folder ${item.from} is in no layer`;
  if (!item.specifier.startsWith('.')) {
    if (item.from === 'core') return `${item.file}: core imports nothing, found ${item.specifier}`;
    const reaches = NETWORK_FOLDERS.some((folder) => item.file.startsWith(`src/${folder}/`));
    if (NETWORK_PACKAGES.includes(item.specifier) && !reaches) {
      return `${item.file}: only ${NETWORK_FOLDERS.join(' and ')} reach the network, found ${item.specifier}`;
    }
    if (STORE_PACKAGES.test(item.specifier) && !item.file.startsWith(STORE_FOLDER)) {
      return `${item.file}: only ${STORE_FOLDER} opens a store, found ${item.specifier}`;
    }
    return null;
  }
  const target = relative(join(ROOT, 'src'), resolve(ROOT, dirname(item.file), item.specifier));
  const folder = target.split('/')[0] ?? '';
  if (target.startsWith('..') || folder === item.from) return null;
  if (rule.values.includes(folder) || (item.typeOnly && rule.types.includes(folder))) return null;
  return `${item.file}: ${item.from} may not import ${item.typeOnly ? 'types of ' : ''}${folder}`;
}

/** Folders that the page's tables list below others of the same area: each loads only those above it. */
function orderOnThePage(): ReadonlyMap<string, readonly string[]> {
  const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
  const cells = [...page.matchAll(/^\| (`.+?) \| /gm)].map(([, cell = '']) => cell);
  const named = cells.flatMap((cell) =>
    [...cell.matchAll(/`([a-z0-9-]+\/[a-z0-9-]+)`/g)].map(([, name = '']) => name),
  );
  const inside = named.filter((name) => !name.startsWith('src/'));
  return Map.groupBy(inside, (name) => name.split('/')[0] ?? '');
}

/** Why an import between folders of one area goes against the page; null where it does not. */
function climb({ file, specifier }: Import, order: ReadonlyMap<string, readonly string[]>): string | null {
  if (!specifier.startsWith('.')) return null;
  const [, area = '', folder = '', own] = file.split('/');
  const target = relative(join(ROOT, 'src', area), resolve(ROOT, dirname(file), specifier)).split('/');
  if (own === undefined || target[0] === '..' || target.length === 1 || target[0] === folder) return null;
  const folders = order.get(area) ?? [];
  const [from, to] = [folders.indexOf(`${area}/${folder}`), folders.indexOf(`${area}/${target[0]}`)];
  if (from === -1) return `${file}: docs/architecture.md gives ${area}/${folder} no place`;
  return to < from ? null : `${file}: ${area}/${folder} may not load ${area}/${target.join('/')}`;
}

/**
 * Circles of what stands side by side in a folder, at any depth and types included: a folder is one thing, a file beside it
 * another. Each is told by the imports that make it.
 */
function circlesOfFolders(imports: readonly Import[]): readonly string[] {
  const links = new Map<string, Map<string, Map<string, string>>>();
  for (const { file, specifier } of imports) {
    if (!specifier.startsWith('.')) continue;
    const [from, to] = [file.split('/'), relative(ROOT, resolve(ROOT, dirname(file), specifier)).split('/')];
    const shared = from.findIndex((part, index) => part !== to[index]);
    const [a, b] = [from[shared], to[shared]];
    if (shared < 1 || a === undefined || b === undefined) continue;
    const folder = from.slice(0, shared).join('/');
    const next = links.get(folder) ?? new Map<string, Map<string, string>>();
    next.set(a, (next.get(a) ?? new Map()).set(b, `${file} → ${to.join('/')}`));
    links.set(folder, next);
  }
  return [...links].flatMap(([folder, next]) => {
    const done = new Set<string>();
    const walk = (name: string, way: readonly string[]): readonly string[] | null => {
      if (way.includes(name)) return way.slice(way.indexOf(name));
      if (done.has(name)) return null;
      for (const target of next.get(name)?.keys() ?? []) {
        const found = walk(target, [...way, name]);
        if (found !== null) return found;
      }
      done.add(name);
      return null;
    };
    const found = [...next.keys()].map((name) => walk(name, [])).find((circle) => circle !== null);
    if (found === undefined || found === null) return [];
    const shown = found.map((name, index) => next.get(name)?.get(found[(index + 1) % found.length] ?? ''));
    return [`${folder}: ${found.join(' → ')} → ${found[0]} by ${shown.join(', ')}`];
  });
}

/** What the files load of the source, directly or through others. */
/** `atStart`: less what is loaded while they run. */
function reachOf(files: readonly string[], atStart = false): ReadonlySet<string> {
  const seen = new Set<string>();
  const open = [...files];
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    for (const { specifier, typeOnly, later } of importsOf(file)) {
      const target = relative(ROOT, resolve(ROOT, dirname(file), specifier));
      if (
        (atStart && later) ||
        typeOnly ||
        !specifier.startsWith('.') ||
        seen.has(target) ||
        !target.startsWith('src/')
      )
        continue;
      seen.add(target);
      open.push(target);
    }
  }
  return seen;
}

/** Files of which each imports the next and the last one the first, types included; null where nothing goes round. */
function circleIn(imports: readonly Import[]): readonly string[] | null {
  const next = new Map<string, string[]>();
  for (const { file, specifier } of imports) {
    if (!specifier.startsWith('.')) continue;
    const target = relative(ROOT, resolve(ROOT, dirname(file), specifier));
    next.set(file, [...(next.get(file) ?? []), target]);
  }
  const done = new Set<string>();
  const walk = (file: string, way: readonly string[]): readonly string[] | null => {
    if (way.includes(file)) return way.slice(way.indexOf(file));
    if (done.has(file)) return null;
    for (const target of next.get(file) ?? []) {
      const found = walk(target, [...way, file]);
      if (found !== null) return found;
    }
    done.add(file);
    return null;
  };
  for (const file of next.keys()) {
    const found = walk(file, []);
    if (found !== null) return found;
  }
  return null;
}

describe('architecture', () => {
  const imports = sourceFiles('src').flatMap(importsOf);

  test('folders import only the layers below them', () => {
    expect(imports.length).toBeGreaterThan(100);
    expect(imports.map(violation).filter((line) => line !== null)).toEqual([]);
  });

  test('the rule finds a broken import', () => {
    const broken = {
      file: 'src/reconcile/x.ts',
      from: 'reconcile',
      specifier: '../gateway/charging/charge.ts',
      typeOnly: false,
      later: false,
    };
    expect(violation(broken)).toBe('src/reconcile/x.ts: reconcile may not import gateway');
    expect(violation({ ...broken, specifier: 'undici' })).toContain('reach the network');
    expect(violation({ ...broken, specifier: '@duckdb/node-api' })).toContain('opens a store');
    expect(violation({ ...broken, file: 'src/core/x.ts', from: 'core', specifier: 'zod' })).toContain(
      'imports nothing',
    );
  });

  test('the folders of an area load only those above them on the page, types included', () => {
    const order = orderOnThePage();
    const ordered = imports.filter(({ from }) => order.has(from));
    expect(ordered.length).toBeGreaterThan(500);
    expect(ordered.map((item) => climb(item, order)).filter((line) => line !== null)).toEqual([]);
    const broken = { file: 'src/x/a/f.ts', from: 'x', specifier: '../b/g.ts', typeOnly: true, later: false };
    expect(climb(broken, new Map([['x', ['x/a', 'x/b']]]))).toBe('src/x/a/f.ts: x/a may not load x/b/g.ts');
    expect(climb(broken, new Map([['x', ['x/b', 'x/a']]]))).toBeNull();
    expect(climb(broken, new Map())).toContain('gives x/a no place');
  });

  test('no folders go round in a circle, at any depth', () => {
    expect(circlesOfFolders(imports)).toEqual([]);
    const of = (file: string, specifier: string): Import => ({
      file,
      from: 'x',
      specifier,
      typeOnly: true,
      later: false,
    });
    const round = [
      of('src/x/a/f.ts', '../b/g.ts'),
      of('src/x/b/h.ts', '../i.ts'),
      of('src/x/i.ts', './a/j.ts'),
    ];
    expect(circlesOfFolders(round)).toEqual([
      'src/x: a → b → i.ts → a by src/x/a/f.ts → src/x/b/g.ts, src/x/b/h.ts → src/x/i.ts, src/x/i.ts → src/x/a/j.ts',
    ]);
    expect(circlesOfFolders(round.slice(0, 2))).toEqual([]);
  });

  test('no files import each other in a circle, not even for a type', () => {
    expect(circleIn(imports)).toBeNull();
    const of = (file: string, specifier: string): Import => ({
      file,
      from: 'core',
      specifier,
      typeOnly: true,
      later: false,
    });
    const round = [
      of('src/core/a.ts', './b.ts'),
      of('src/core/b.ts', './c.ts'),
      of('src/core/c.ts', './b.ts'),
    ];
    expect(circleIn(round)).toEqual(['src/core/b.ts', 'src/core/c.ts']);
  });

  test('the gateway and the auditor share no charge function', () => {
    const audited = reachOf(sourceFiles('src/reconcile'));
    const shared = [...reachOf(sourceFiles('src/gateway'))].filter((file) => audited.has(file)).sort();
    expect(shared.filter((file) => !BELOW.some((folder) => file.startsWith(`src/${folder}/`)))).toEqual([]);
    expect(shared.filter((file) => /charge|price/.test(file.split('/').at(-1) ?? ''))).toEqual([]);
  });

  test('own calls are judged by no code that the daemon loads beside its probes: in a thread of its own', () => {
    const loop = reachOf(['src/probe/daemon.ts', 'src/probe/target/open-target-watch.ts']);
    const judge = 'src/reconcile/reconcile.ts';
    expect(reachOf(['src/probe/audit/judge-thread-entry.ts'])).toContain(judge);
    expect(loop).toContain('src/probe/audit/judge-thread.ts');
    expect(loop).not.toContain(judge);
    // What takes longer with each day that is archived.
    for (const read of ['src/pricebook/archive/prune-archive.ts', 'src/probe/audit/round-books.ts'])
      expect(loop).not.toContain(read);
  });

  test('no command but its own loads the embedded gateway', () => {
    const served = 'src/gateway/start-gateway.ts';
    expect(sourceFiles('src/gateway')).toContain(served);
    expect(reachOf(['src/cli/main.ts'], true)).not.toContain(served);
  });

  test('scenarios load no package, and of src what runs inside k6', () => {
    const inside = /^(src\/(core|workload)\/|src\/contracts\/schema-names\.ts|scenarios\/)/;
    const bad = sourceFiles('scenarios')
      .flatMap(importsOf)
      .filter(({ file, specifier, typeOnly }) => {
        if (specifier === 'k6' || specifier.startsWith('k6/')) return false;
        const target = relative(ROOT, resolve(ROOT, dirname(file), specifier));
        return !inside.test(target) && !(typeOnly && target.startsWith('src/contracts/'));
      });
    expect(bad).toEqual([]);
  });

  test('only the packages that meet k6 import it', () => {
    const known = /^(arrivals|flat|module|output|cmd)\//;
    const meeting = goFiles().filter((file) =>
      /^\t(\w+ )?"(go\.k6\.io|github\.com\/grafana)\/.+"$/m.test(
        readFileSync(join(ROOT, 'xk6', file), 'utf8'),
      ),
    );
    expect(meeting.length).toBeGreaterThan(10);
    expect(meeting.filter((file) => !known.test(file))).toEqual([]);
  });

  test('the page names every folder of the source and every package of the extension', () => {
    const page = readFileSync(join(ROOT, 'docs/architecture.md'), 'utf8');
    const cells = [...page.matchAll(/^\| (`.+?) \| /gm)].map(([, cell = '']) => cell);
    const named = cells.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name));
    const foldersIn = (path: string): string[] =>
      readdirSync(join(ROOT, path), { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name);
    const areas = foldersIn('src');
    const onThePage = [...orderOnThePage().keys()];
    const inside = onThePage.flatMap((area) => foldersIn(`src/${area}`).map((folder) => `${area}/${folder}`));
    const folders = areas.map((area) => `src/${area}`);
    expect(named.sort()).toEqual(
      [...folders, ...inside, ...foldersIn('xk6'), 'bench', 'scenarios', 'xk6'].sort(),
    );
    expect(Object.keys(MAY_IMPORT).sort()).toEqual(areas.sort());
  });

  test('only cli prints or exits', () => {
    const bad = sourceFiles('src')
      .filter((file) => !file.startsWith('src/cli/'))
      .filter((file) =>
        /console\.(log|error|warn)|process\.(exit\(|stdout|stderr)/.test(
          readFileSync(join(ROOT, file), 'utf8'),
        ),
      );
    expect(bad).toEqual([]);
  });

  test('app knows no flag: only cli loads commander', () => {
    const loading = imports.filter(({ specifier }) => specifier === 'commander');
    expect(loading.length).toBeGreaterThan(10);
    expect(loading.filter(({ from }) => from !== 'cli')).toEqual([]);
  });

  test('what runs inside k6 reads no clock, no chance and no environment', () => {
    const bad = [...sourceFiles('src/core'), ...sourceFiles('src/workload')].filter((file) =>
      /Date\.now|Math\.random|new Date\(\)|\bprocess\b\.|setTimeout/.test(
        readFileSync(join(ROOT, file), 'utf8'),
      ),
    );
    expect(bad).toEqual([]);
  });

  test('an exported name stands for one thing', () => {
    const DEFINED =
      /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
    const named = sourceFiles('src').flatMap((file) => {
      const text = readFileSync(join(ROOT, file), 'utf8');
      // A type and a value of one name in one file are one thing.
      return [...new Set([...text.matchAll(DEFINED)].map(([, name = '']) => name))].map((name) => ({
        name,
        file,
      }));
    });
    expect(named.length).toBeGreaterThan(1_000);
    const twice = [...Map.groupBy(named, ({ name }) => name)].filter(([, places]) => places.length > 1);
    expect(twice.map(([name, places]) => `${name}: ${places.map(({ file }) => file).join(', ')}`)).toEqual(
      [],
    );
  });

  test('no folder or file is a catch-all', () => {
    const bad = sourceFiles('src').filter((file) =>
      /(^|\/)(utils?|helpers?|manager|misc|common)(\.|\/|-)/.test(file),
    );
    expect(bad).toEqual([]);
  });

  test('source files stay under 400 lines', () => {
    const bad = [...sourceFiles('src'), ...sourceFiles('scenarios')]
      .map((file) => ({ file, lines: readFileSync(join(ROOT, file), 'utf8').split('\n').length }))
      .filter(({ lines }) => lines > 400);
    expect(bad).toEqual([]);
  });
});
