import { newestSection, unreleased } from './changelog-section.ts';

interface Told {
  /** Of package.json. */
  readonly version: string;
  readonly changelog: string;
  /** Text of xk6/version/version.go. */
  readonly extension: string;
}

/** Where the version is told otherwise than in package.json, one line each. */
export function versionFaults({ version, changelog, extension }: Told): readonly string[] {
  const newest = newestSection(changelog)?.version;
  const linked = /Weighbridge = "([^"]+)"/.exec(extension)?.[1];
  return [
    ...(newest === version
      ? []
      : [`CHANGELOG.md: expected ${version} as newest version, found ${newest ?? 'none'}`]),
    ...(unreleased(changelog) === ''
      ? []
      : ['CHANGELOG.md: something stands under Unreleased: give it to the version']),
    ...(linked === version ? [] : [`xk6/version: expected ${version}, found ${linked ?? 'none'}`]),
  ];
}
