import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { licenceOfText } from './licence-of-text.ts';
import type { ThirdParty } from './third-party.ts';

const EACH = '{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}';

/** Systems for which engines are built. What is linked is the same on x64 and arm64. */
export const ENGINE_SYSTEMS = ['linux', 'darwin', 'windows'] as const;

/** Generated from the protocol files of a project, whose licence they are under, and published without its text. */
const GENERATED = new Map([['buf.build/gen/go/prometheus/prometheus/protocolbuffers/go', 'Apache-2.0']]);

/** A module that is linked into our k6, and on which systems. */
export interface LinkedModule extends ThirdParty {
  readonly systems: readonly string[];
}

/** The modules that are linked into our k6 on some system, from their folders as Go fetched them. */
export function goLicences(source: string): readonly LinkedModule[] {
  const lines = ENGINE_SYSTEMS.flatMap((system) =>
    linkedOn(system, source).map((line) => ({ line, system })),
  );
  return [...Map.groupBy(lines, ({ line }) => line)]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([line, on]) => {
      const [name = '', version = '', folder = ''] = line.split('\t');
      const licence = licenceOfFolder(folder) ?? GENERATED.get(name) ?? null;
      return { name, version, licence, systems: on.map(({ system }) => system) };
    });
}

function linkedOn(system: string, source: string): readonly string[] {
  const env = { ...process.env, CGO_ENABLED: '0', GOOS: system, GOARCH: 'amd64' };
  const said = execFileSync('go', ['list', '-deps', '-f', EACH, './cmd/k6'], {
    cwd: source,
    encoding: 'utf8',
    env,
  });
  return [...new Set(said.split('\n').filter((line) => line.trim() !== ''))];
}

function licenceOfFolder(folder: string): string | null {
  const files = readdirSync(folder).filter((name) => /^(un)?licen[cs]e|^copying/i.test(name));
  const found = files.sort().flatMap((name) => licenceOfText(readFileSync(join(folder, name), 'utf8')) ?? []);
  return found.length === 0 ? null : [...new Set(found)].join(' AND ');
}
