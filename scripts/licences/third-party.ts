/** A part that others made, and the licence that it comes under. */
export interface ThirdParty {
  readonly name: string;
  readonly version: string;
  /** SPDX expression; null where none was found. */
  readonly licence: string | null;
}

/** What the packages may be under that are installed with ours: they ask for a notice, and nothing of our sources. */
const PERMISSIVE = [
  'MIT',
  'ISC',
  '0BSD',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Apache-2.0',
  'Unlicense',
  'CC0-1.0',
];
/** What may be linked into the binary of k6, which is under the AGPL as a whole, and which no other part of ours is. */
const LINKED = [...PERMISSIVE, 'MPL-2.0', 'AGPL-3.0'];

/** Those whose licence is not allowed, with the reason, one line each. */
export function refusedLicences(parts: readonly ThirdParty[], of: 'npm' | 'go'): readonly string[] {
  return parts
    .filter(({ licence }) => !isAllowed(licence, of))
    .map(({ name, version, licence }) => `${name} ${version}: ${licence ?? 'no licence that is known'}`);
}

/** One of several that may be chosen from is enough, all of several that hold together are needed. */
function isAllowed(licence: string | null, of: 'npm' | 'go'): boolean {
  const allowed = of === 'npm' ? PERMISSIVE : LINKED;
  return (licence ?? '')
    .replace(/[()]/g, '')
    .split(' OR ')
    .some((choice) => choice.split(' AND ').every((one) => allowed.includes(one)));
}
