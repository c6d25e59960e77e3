import { execFileSync } from 'node:child_process';
import type { EngineSystem } from './engine-systems.ts';

/** A module that a build links, and the folder where Go has it. */
export interface LinkedModule {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
}

const EACH = '{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}';

/** The modules that our k6 links on a system; its own library first, which Go links into everything. */
export function linkedModules(source: string, { goos, goarch }: EngineSystem): readonly LinkedModule[] {
  const go = (...args: readonly string[]): string =>
    execFileSync('go', [...args], {
      cwd: source,
      encoding: 'utf8',
      env: { ...process.env, CGO_ENABLED: '0', GOOS: goos, GOARCH: goarch },
    });
  const lines = go('list', '-deps', '-f', EACH, './cmd/k6').split('\n');
  const modules = [...new Set(lines.filter((line) => line.trim() !== ''))].sort().map((line) => {
    const [name = '', version = '', folder = ''] = line.split('\t');
    return { name, version, folder };
  });
  return [{ name: 'the Go standard library', version: '', folder: go('env', 'GOROOT').trim() }, ...modules];
}
