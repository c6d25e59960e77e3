import { execFileSync } from 'node:child_process';

/** A module that a build links, and the folder where Go has it. */
export interface LinkedModule {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
}

const EACH = '{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}';

/** The modules that our k6 links on an operating system, by name; Go's own library is not among them. */
export function linkedModules(source: string, goos: string): readonly LinkedModule[] {
  const lines = execFileSync('go', ['list', '-deps', '-f', EACH, './cmd/k6'], {
    cwd: source,
    encoding: 'utf8',
    env: { ...process.env, CGO_ENABLED: '0', GOOS: goos },
  }).split('\n');
  return [...new Set(lines.filter((line) => line.trim() !== ''))].sort().map((line) => {
    const [name = '', version = '', folder = ''] = line.split('\t');
    return { name, version, folder };
  });
}

/** The library that Go links into everything. */
export function goLibrary(): LinkedModule {
  const folder = execFileSync('go', ['env', 'GOROOT'], { encoding: 'utf8' }).trim();
  return { name: 'the Go standard library', version: '', folder };
}
