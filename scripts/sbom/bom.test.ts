import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { npmLicences } from '../licences/npm-licences.ts';
import { bomSchema, bomText, licensesOf } from './bom.ts';

const ROOT = resolve(import.meta.dirname, '../..');
const read = (name: string): string => readFileSync(join(ROOT, name), 'utf8');
const bomOf = (name: string) => bomSchema.parse(JSON.parse(read(`sbom/${name}.cdx.json`)));

test('the bill of the package lists what npm installs with it, each with licence and hash, and nothing else', () => {
  const { components, metadata } = bomOf('package');
  const installed = npmLicences(read('package-lock.json')).map(({ name, version }) => `${name}@${version}`);
  expect(components.map((one) => one['bom-ref']).sort()).toEqual(installed.sort());
  expect(components.filter((one) => one['licenses'] === undefined || one['hashes'] === undefined)).toEqual(
    [],
  );
  expect(metadata.component).toMatchObject({
    name: 'weighbridge',
    purl: expect.stringMatching(/^pkg:npm\/weighbridge@/),
  });
});

test('the bill of the engine lists the modules of the page of licences, those of other systems too', () => {
  const { components, metadata } = bomOf('engine');
  const page = read('docs/third-party-licences.md').split('## Linked into k6')[1] ?? '';
  const listed = [...page.matchAll(/^\| `([^`]+)`(?: \([a-z, ]+\))? \| (\S+) \| (\S.*) \|$/gm)];
  expect(components.map(({ name, version }) => `${name} ${version}`).sort()).toEqual(
    listed.map(([, name, version]) => `${name} ${version}`).sort(),
  );
  const names = components.map(({ name }) => name);
  for (const name of [
    'go.k6.io/k6/v2',
    'github.com/prometheus/procfs',
    'github.com/inconshreveable/mousetrap',
  ])
    expect(names).toContain(name);
  for (const one of components)
    expect(one['licenses']).toEqual(licensesOf(listed.find(([, name]) => name === one.name)?.[3] ?? ''));
  expect(metadata.component['licenses']).toEqual([{ license: { id: 'AGPL-3.0-only' } }]);
});

test('a bill is the same on each machine: no time, no serial number, no tool; what is dropped is in no tree', () => {
  const part = (name: string) => ({ 'bom-ref': name, name, version: '1', purl: `pkg:npm/${name}@1` });
  const bom = bomSchema.parse({
    ...{ bomFormat: 'CycloneDX', specVersion: '1.5', serialNumber: 'urn:uuid:1' },
    metadata: { timestamp: '2026-11-26T00:00:00Z', tools: [{ name: 'npm' }], component: part('folder') },
    components: [
      part('b'),
      { ...part('a'), properties: [{ name: 'path', value: 'x' }] },
      part('a'),
      part('dropped'),
    ],
    dependencies: [
      { ref: 'folder', dependsOn: ['dropped', 'b', 'a'] },
      { ref: 'dropped', dependsOn: ['a'] },
    ],
  });
  const described = { name: 'ours', version: '2', purl: 'pkg:npm/ours@2', licence: 'MIT OR ISC' };
  const text = bomText(bom, described, ({ name }) => name !== 'dropped');
  expect(text).not.toMatch(/serialNumber|timestamp|tools|dropped|folder|properties/);
  expect(text.match(/"bom-ref": "a"/g)).toHaveLength(1);
  expect(JSON.parse(text)).toMatchObject({
    metadata: { component: { name: 'ours', licenses: [{ expression: 'MIT OR ISC' }] } },
    components: [{ name: 'a' }, { name: 'b' }],
    dependencies: [{ ref: 'pkg:npm/ours@2', dependsOn: ['a', 'b'] }],
  });
});
