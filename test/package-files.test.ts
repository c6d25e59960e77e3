import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { deadLinks, deadPaths } from './support/package/dead-links.ts';
import { ROOT, runWeighbridge, scratchDir } from './support/run-weighbridge.ts';

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');
const listing = z.tuple([z.object({ files: z.array(z.object({ path: z.string() })) })]);

/** What `npm pack` would take, but for dist/, which it builds first. */
const PACKED = packed();

function packed(): ReadonlySet<string> {
  const said = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: ROOT,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ files }] = listing.parse(JSON.parse(said));
  return new Set(files.map(({ path }) => path).filter((path) => !path.startsWith('dist/')));
}

const MADE = ['.git', '.cache', '.weighbridge', 'build', 'dist', 'node_modules', 'reports', 'test'];

/** Files of the project, but for its tests and what is made. */
function projectFiles(pattern: RegExp): readonly string[] {
  return readdirSync(ROOT, { withFileTypes: true })
    .filter(({ name }) => !MADE.includes(name))
    .flatMap((top) =>
      top.isDirectory()
        ? readdirSync(join(ROOT, top.name), { recursive: true, encoding: 'utf8' }).map(
            (path) => `${top.name}/${path}`,
          )
        : [top.name],
    )
    .filter((path) => pattern.test(path) && !/\.test\.ts$|_test\.go$|^bench\/engine\/results\//.test(path));
}

test('each link of the README and of the pages leads to a file of the package', () => {
  expect([...PACKED].filter((path) => path.endsWith('.md')).length).toBeGreaterThan(60);
  expect(deadLinks({ paths: PACKED, read })).toEqual([]);
});

test('each file that a message or a template names stands in the package', () => {
  const texts = projectFiles(/^(?:src|bin)\/.*\.(?:ts|mjs)$/).filter(
    (path) => !/^src\/dashboards\/|\.test-support\.ts$/.test(path),
  );
  expect(texts.length).toBeGreaterThan(300);
  const shipped = [...PACKED].filter((path) => /^(?:deploy|dashboards|examples)\/|\.yaml$/.test(path));
  expect(deadPaths({ paths: PACKED, read }, [...texts, ...shipped])).toEqual([]);
});

test('a message names a page of ours by a path that opens from any folder', async () => {
  const { stderr } = await runWeighbridge(['reconcile', '--ledger', 'a', '--ledger-format', 'b'], {
    cwd: scratchDir(),
  });
  expect(/\S+\.md/.exec(stderr)?.[0], stderr).toBe(join(ROOT, 'docs/evidence.md'));
});

test('what is not packed, and what is not there, is seen', () => {
  const texts: Record<string, string> = {
    'docs/a.md':
      '[b](b.md#c) [up](../README.md) [src](../src/x.ts) [web](https://x/y) [here](#a) `[no](x.md)`',
    'docs/b.md': '[folder](../examples) [gone](../deploy)',
    'README.md': '',
    'examples/x.yaml': '# docs/a.md, docs/gone.md and /etc/docs/none.md',
  };
  const files = { paths: new Set(Object.keys(texts)), read: (path: string) => texts[path] ?? '' };
  expect(deadLinks(files)).toEqual([
    { file: 'docs/a.md', link: '../src/x.ts' },
    { file: 'docs/b.md', link: '../deploy' },
  ]);
  expect(deadPaths(files, ['examples/x.yaml'])).toEqual([{ file: 'examples/x.yaml', path: 'docs/gone.md' }]);
});

/** Commands that would fetch our names from a registry, where anybody can register them until we do. */
const FETCHED = [
  /\b(?:npx|npm exec|npm x|pnpm dlx|pnpx|yarn dlx|bunx)(?! --no-install)(?: -\S+)* (?:weighbridge|@weighbridge\/\S+)/g,
  /\b(?:npm|pnpm|yarn|bun) (?:i|install|add)(?: -\S+)* (?:weighbridge|@weighbridge\/[\w-]+)(?![\w-]*[\w.-]*\.tgz)/g,
];

function fetched(text: string): readonly string[] {
  return FETCHED.flatMap((pattern) => [...text.matchAll(pattern)].map(([command]) => command));
}

test('no page, message or template takes our name from a registry', () => {
  const texts = projectFiles(
    /\.(?:md|ts|mjs|go|ya?ml|json|html)$|(?:Dockerfile|weighbridge)$|\.service$|\.timer$/,
  );
  expect(texts.length).toBeGreaterThan(500);
  const found = texts.flatMap((file) => fetched(read(file)).map((command) => ({ file, command })));
  expect(found).toEqual([]);
});

test('a command that would take it from there is seen', () => {
  const wrong = [
    'npx weighbridge audit',
    'npx --yes weighbridge',
    'npm exec weighbridge',
    'npm install weighbridge',
    'npm i -g weighbridge ',
    'npm install @weighbridge/engine-linux-x64',
    'pnpm dlx weighbridge',
  ];
  expect(wrong.filter((command) => fetched(command).length === 0)).toEqual([]);
  const right = [
    'npx --no-install weighbridge audit',
    'npm install weighbridge-0.1.0.tgz',
    'npm install ./weighbridge-0.1.0.tgz ./weighbridge-engine-linux-x64-0.1.0.tgz',
    'npx node bin/weighbridge.mjs',
  ];
  expect(right.filter((command) => fetched(command).length > 0)).toEqual([]);
});
