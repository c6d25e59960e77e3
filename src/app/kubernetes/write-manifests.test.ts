import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { configMap } from '../../kubernetes/config-map.ts';
import { writeManifests } from './write-manifests.ts';

test('a folder that has files is refused and stays as it is; the kustomization leaves out what is applied by hand', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'wb-manifests-'));
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }));
  const dir = join(scratch, 'k8s');
  const manifest = (file: string) => ({ file, about: 'Why.', object: configMap('a', {}, { b: 'c: 1\n' }) });
  const written = {
    manifests: [manifest('one.yaml')],
    apart: [manifest('two.yaml')],
    volume: { name: 'run', files: { 'plan.json': '{}' } },
  };
  expect(writeManifests(dir, written)).toEqual([
    'kustomization.yaml',
    'one.yaml',
    'two.yaml',
    join('run', 'plan.json'),
  ]);
  expect(readFileSync(join(dir, 'kustomization.yaml'), 'utf8')).toMatch(/^resources:\n {2}- one\.yaml\n$/m);
  expect(readFileSync(join(dir, 'one.yaml'), 'utf8')).toMatch(/^# Why\.\napiVersion: v1\nkind: ConfigMap\n/);
  const before = readdirSync(dir);
  expect(() => writeManifests(dir, { ...written, manifests: [manifest('three.yaml')] })).toThrow(
    expect.objectContaining({ code: 'out_not_empty', exitCode: 2 }),
  );
  expect(readdirSync(dir)).toEqual(before);
});
