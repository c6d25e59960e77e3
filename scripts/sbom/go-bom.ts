import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { ENGINE_OS } from '../engines/engine-systems.ts';
import type { LicensedModule } from '../licences/go-licences.ts';
import { type Bom, bomSchema, bomText, type Described, licensesOf } from './bom.ts';

const TOOL = 'github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod';
const FLAGS = ['app', '-json', '-noserial', '-notimestamp', '-short-purls', '-output-version', '1.5'];

/**
 * What an engine links on any system. Go's own library is left out: it is of the Go that builds, which each engine package names.
 * Licences are those of `linked`, which reads more of them than the generator.
 */
export function goBom(root: string, linked: readonly LicensedModule[], described: Described): string {
  const tool = execFileSync('go', ['tool', '-n', TOOL], {
    cwd: join(root, 'scripts/sbom/tool'),
    encoding: 'utf8',
  }).trim();
  const boms = ENGINE_OS.map((system) => bomOf(tool, system, join(root, 'xk6')));
  const licences = new Map(linked.map(({ name, licence }) => [name, licence ?? 'NOASSERTION']));
  const components = union(
    boms.map((bom) => bom.components),
    (one) => one['bom-ref'],
  ).map((one) => ({
    ...one,
    licenses: licensesOf(licences.get(one.name) ?? 'NOASSERTION'),
  }));
  const [first] = boms;
  if (first === undefined) throw new Error('no system to build engines for');
  const dependencies = union(
    boms.map((bom) => bom.dependencies),
    ({ ref }) => ref,
  ).map(({ ref }) => ({
    ref,
    dependsOn: union(
      boms.map((bom) => bom.dependencies.find((one) => one.ref === ref)?.dependsOn ?? []),
      (one) => one,
    ),
  }));
  return bomText({ ...first, components, dependencies }, described);
}

function bomOf(tool: string, system: string, source: string): Bom {
  const said = execFileSync(tool, [...FLAGS, '-main', 'cmd/k6'], {
    cwd: source,
    encoding: 'utf8',
    env: { ...process.env, CGO_ENABLED: '0', GOOS: system, GOARCH: 'amd64' },
    maxBuffer: 64 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return bomSchema.parse(JSON.parse(said));
}

function union<Item>(lists: readonly (readonly Item[])[], key: (item: Item) => string): Item[] {
  return [...new Map(lists.flat().map((item) => [key(item), item])).values()];
}
