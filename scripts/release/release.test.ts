import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { unzipSync } from 'fflate';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { newestSection, unreleased } from './changelog-section.ts';
import { extensionTree, MODULE, moduleZip } from './extension-tree.ts';
import { versionFaults } from './release-version.ts';
import { repositoryOf } from './repository.ts';
import { sumsOf } from './sums.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n## 1.2.0, 2026-11-26\n\n### New\n- One.\n\n## 1.1.0, 2026-01-01\n- Old.\n';

function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'wb-release-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

describe('the version', () => {
  test('has its notes in the changelog, and nothing waits for another', () => {
    expect(newestSection(CHANGELOG)).toEqual({
      version: '1.2.0',
      date: '2026-11-26',
      notes: '### New\n- One.',
    });
    expect(newestSection('## Unreleased\n- x\n')).toBeNull();
    expect(unreleased(CHANGELOG)).toBe('');
    expect(unreleased('## Unreleased\n- x\n')).toBe('- x');
  });

  test('is told alike everywhere', () => {
    const extension = 'const Weighbridge = "1.2.0"';
    expect(versionFaults({ version: '1.2.0', changelog: CHANGELOG, extension })).toEqual([]);
    expect(
      versionFaults({
        version: '1.3.0',
        changelog: CHANGELOG.replace('Unreleased\n', 'Unreleased\n- x\n'),
        extension,
      }),
    ).toEqual([
      'CHANGELOG.md: expected 1.3.0 as newest version, found 1.2.0',
      'CHANGELOG.md: something stands under Unreleased: give it to the version',
      'xk6/version: expected 1.3.0, found 1.2.0',
    ]);
  });
});

test('where the project is published gives the path of the extension; a name that leads nowhere gives none', () => {
  expect(repositoryOf('git+https://github.com/owner/weighbridge.git').module).toBe(
    'github.com/owner/xk6-weighbridge',
  );
  expect(repositoryOf('git+https://repository.invalid/weighbridge.git').module).toBeNull();
});

test('hashes are those that sha256sum checks', () => {
  const dir = scratch();
  writeFileSync(join(dir, 'b.tgz'), 'b');
  writeFileSync(join(dir, 'a.txt'), 'a');
  writeFileSync(join(dir, 'SHA256SUMS'), sumsOf(dir));
  expect(execFileSync('sha256sum', ['--check', 'SHA256SUMS'], { cwd: dir, encoding: 'utf8' })).toBe(
    'a.txt: OK\nb.tgz: OK\n',
  );
});

test('without --dry-run it says where publishing is done, and does nothing', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'scripts/release.ts')], {
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('.github/workflows/release.yml');
});

describe('the extension', () => {
  test('is entered in the registry of k6 by the names that it registers, as docs/releasing.md says', () => {
    const page = readFileSync(join(ROOT, 'docs/releasing.md'), 'utf8');
    const [entry] = z
      .array(z.object({ module: z.string(), imports: z.array(z.string()), outputs: z.array(z.string()) }))
      .parse(parse(/```yaml\n(.+?)```/s.exec(page)?.[1] ?? ''));
    const go = (name: string) => readFileSync(join(ROOT, 'xk6', name), 'utf8');
    expect(go('module/module.go')).toContain(`modules.Register("${entry?.imports[0]}"`);
    expect(go('output/output.go')).toContain(`Name = "${entry?.outputs[0]}"`);
    expect(entry?.module.replace('OWNER', 'owner')).toBe(
      repositoryOf('git+https://github.com/owner/weighbridge.git').module,
    );
  });

  test('has the files that a registry of extensions asks for, and no test', () => {
    const names = [...extensionTree(ROOT, MODULE).keys()];
    for (const name of [
      'README.md',
      'LICENSE',
      'index.d.ts',
      'go.mod',
      'weighbridge.go',
      'examples/smoke.ts',
    ])
      expect(names).toContain(name);
    expect(names.filter((name) => name.endsWith('_test.go'))).toEqual([]);
    expect(readFileSync(join(ROOT, 'xk6/LICENSE'), 'utf8')).toBe(readFileSync(join(ROOT, 'LICENSE'), 'utf8'));
  });

  test('is the same archive each time, under one folder', () => {
    const tree = extensionTree(ROOT, MODULE);
    const zip = moduleZip(tree, MODULE, '0.1.0');
    expect(Buffer.compare(zip, moduleZip(tree, MODULE, '0.1.0'))).toBe(0);
    expect(Object.keys(unzipSync(zip)).filter((name) => !name.startsWith(`${MODULE}@v0.1.0/`))).toEqual([]);
  });

  test('is found by its path and version by a builder that has a proxy and nothing else of ours', () => {
    const dir = scratch();
    const module = 'github.com/owner/xk6-weighbridge';
    const tree = extensionTree(ROOT, module);
    const served = join(dir, 'proxy', module, '@v');
    mkdirSync(served, { recursive: true });
    writeFileSync(join(served, 'v0.1.0.info'), '{"Version":"v0.1.0","Time":"2026-11-26T00:00:00Z"}');
    writeFileSync(join(served, 'v0.1.0.mod'), tree.get('go.mod') ?? '');
    writeFileSync(join(served, 'v0.1.0.zip'), moduleZip(tree, module, '0.1.0'));
    writeFileSync(join(dir, 'go.mod'), `module k6\n\ngo 1.25.0\n\nrequire ${module} v0.1.0\n`);
    writeFileSync(join(dir, 'main.go'), `package main\n\nimport _ "${module}"\n\nfunc main() {}\n`);
    const go = (...args: readonly string[]) =>
      execFileSync('go', [...args], { cwd: dir, encoding: 'utf8', env, stdio: 'pipe' });
    const fetched = execFileSync('go', ['env', 'GOMODCACHE'], { encoding: 'utf8' }).trim();
    const env = {
      ...process.env,
      // What k6 needs was fetched when ours was built: no network is asked.
      ...{
        GOPROXY: `file://${dir}/proxy,file://${fetched}/cache/download`,
        GONOSUMDB: '*',
        GONOSUMCHECK: '1',
      },
      ...{ GOFLAGS: '-mod=mod -modcacherw', GOMODCACHE: join(dir, 'modules'), GOSUMDB: 'off' },
    };
    const packages = go('list', '-deps', '.').split('\n');
    for (const name of [
      `${module}/module`,
      `${module}/output`,
      `${module}/arrivals`,
      'go.k6.io/k6/v2/js/modules',
    ])
      expect(packages).toContain(name);
    expect(packages.filter((name) => name.startsWith(MODULE))).toEqual([]);
  });
});
