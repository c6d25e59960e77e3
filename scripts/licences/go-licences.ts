import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ENGINE_OS } from '../engines/engine-systems.ts';
import { linkedModules } from '../engines/linked-modules.ts';
import { licenceOfText } from './licence-of-text.ts';
import type { ThirdParty } from './third-party.ts';

/** Generated from the protocol files of a project, whose licence they are under, and published without its text. */
const GENERATED = new Map([['buf.build/gen/go/prometheus/prometheus/protocolbuffers/go', 'Apache-2.0']]);

/** A module that is linked into our k6, and on which systems. */
export interface LicensedModule extends ThirdParty {
  readonly systems: readonly string[];
}

/** The modules that are linked into our k6 on some system, from their folders as Go fetched them. */
export function goLicences(source: string): readonly LicensedModule[] {
  const linked = ENGINE_OS.flatMap((system) =>
    linkedModules(source, system).map((module) => ({ ...module, system })),
  );
  return [...Map.groupBy(linked, ({ name }) => name)]
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .flatMap(([name, on]) => {
      const [first] = on;
      if (first === undefined) return [];
      const licence = licenceOfFolder(first.folder) ?? GENERATED.get(name) ?? null;
      return [{ name, version: first.version, licence, systems: on.map(({ system }) => system) }];
    });
}

function licenceOfFolder(folder: string): string | null {
  const files = readdirSync(folder).filter((name) => /^(un)?licen[cs]e|^copying/i.test(name));
  const found = files.sort().flatMap((name) => licenceOfText(readFileSync(join(folder, name), 'utf8')) ?? []);
  return found.length === 0 ? null : [...new Set(found)].join(' AND ');
}
