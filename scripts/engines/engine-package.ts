import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildCommand } from './build-engine.ts';
import type { EngineSystem } from './engine-systems.ts';
import { goLibrary, type LinkedModule, linkedModules } from './linked-modules.ts';

/** What a package tells of the binary in it. */
export interface EngineFacts {
  readonly name: string;
  readonly version: string;
  readonly sha256: string;
  readonly go: string;
  /** The commit of the sources; null where git does not tell. */
  readonly revision: string | null;
  /** Two builds gave these bytes. */
  readonly twice: boolean;
  /** This machine ran it. */
  readonly ran: boolean;
}

export function engineName(system: EngineSystem): string {
  return `@weighbridge/engine-${system.name}`;
}

/** Writes what stands beside the binary: who it is, its licence, those of what it links, and how it was built. */
export function writePackage(folder: string, source: string, system: EngineSystem, facts: EngineFacts): void {
  const { name, version } = facts;
  const manifest = {
    name,
    version,
    description: `The load engine of Weighbridge ${version} for ${system.name}: k6 with its extension.`,
    license: 'AGPL-3.0-only',
    os: [system.os],
    cpu: [system.cpu],
    // Weighbridge starts the file: it must stand on a disk.
    preferUnplugged: true,
    files: ['bin', 'LINKED-LICENCES.txt'],
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const modules = linkedModules(source, system.goos);
  const k6 = modules.find((module) => module.name.startsWith('go.k6.io/k6/'));
  if (k6 === undefined) throw new Error('our k6 links no go.k6.io/k6');
  writeFileSync(join(folder, 'LICENSE'), readFileSync(join(k6.folder, 'LICENSE.md'), 'utf8'));
  writeFileSync(join(folder, 'LINKED-LICENCES.txt'), linkedLicences([goLibrary(), ...modules]));
  writeFileSync(join(folder, 'README.md'), readme(system, facts, `${k6.name} ${k6.version}`));
}

function readme(system: EngineSystem, facts: EngineFacts, k6: string): string {
  return `# ${facts.name}

The load engine of Weighbridge ${facts.version} for ${system.name}: k6 (${k6}) with the extension of Weighbridge. Install it beside the package
\`weighbridge\` of the same build; that one knows its SHA-256, and starts no other.

## Licence

AGPL-3.0-only, as k6, which it links: the text is in \`LICENSE\`. The parts of Weighbridge in it are also under the Apache-2.0. The licences of all
modules that are linked are in \`LINKED-LICENCES.txt\`.

## Source

Commit ${facts.revision ?? 'unknown'} of Weighbridge, folder \`xk6\`; the package \`weighbridge\` of this build holds that folder, too. \`xk6/go.sum\` pins every module.
Built with ${facts.go}:

    ${buildCommand(system)}

SHA-256 of the binary: ${facts.sha256}

${facts.twice ? 'Two builds in two folders, the second without any cache, gave these bytes.' : 'It was built once: nobody compared a second build.'}
${facts.ran ? 'It was started on the machine that built it.' : `It was never run: the machine that built it is no ${system.name}.`}
`;
}

/** A binary must come with the notices of all that is linked into it. */
export function linkedLicences(modules: readonly LinkedModule[]): string {
  return modules
    .flatMap(({ name, version, folder }) =>
      readdirSync(folder)
        .filter((file) => /^(?:un)?licen[cs]e|^copying|^notice/i.test(file))
        .sort()
        .map(
          (file) =>
            `${'='.repeat(80)}\n${name} ${version}: ${file}\n\n${readFileSync(join(folder, file), 'utf8')}`,
        ),
    )
    .join('\n');
}
