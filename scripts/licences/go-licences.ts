import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { licenceOfText } from './licence-of-text.ts';
import type { ThirdParty } from './third-party.ts';

const EACH = '{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}';

/** Generated from the protocol files of a project, whose licence they are under, and published without its text. */
const GENERATED = new Map([['buf.build/gen/go/prometheus/prometheus/protocolbuffers/go', 'Apache-2.0']]);

/** The modules that are linked into our k6, from their folders as Go fetched them. */
export function goLicences(source: string): readonly ThirdParty[] {
  // Builds for all systems link what a build for this one may leave out; the list is of the one that the image and the tests use.
  const env = { ...process.env, CGO_ENABLED: '0', GOOS: 'linux', GOARCH: 'amd64' };
  const said = execFileSync('go', ['list', '-deps', '-f', EACH, './cmd/k6'], {
    cwd: source,
    encoding: 'utf8',
    env,
  });
  return [...new Set(said.split('\n').filter((line) => line.trim() !== ''))].sort().map((line) => {
    const [name = '', version = '', folder = ''] = line.split('\t');
    return { name, version, licence: licenceOfFolder(folder) ?? GENERATED.get(name) ?? null };
  });
}

function licenceOfFolder(folder: string): string | null {
  const files = readdirSync(folder).filter((name) => /^(un)?licen[cs]e|^copying/i.test(name));
  const found = files.sort().flatMap((name) => licenceOfText(readFileSync(join(folder, name), 'utf8')) ?? []);
  return found.length === 0 ? null : [...new Set(found)].join(' AND ');
}
