import { z } from 'zod';
import type { ThirdParty } from './third-party.ts';

const lock = z.object({
  packages: z.record(
    z.string(),
    z.object({ version: z.string().optional(), license: z.string().optional(), dev: z.boolean().optional() }),
  ),
});

/** What npm installs with the package, from package-lock.json: all but what is for development alone. */
export function npmLicences(text: string): readonly ThirdParty[] {
  const parts = Object.entries(lock.parse(JSON.parse(text)).packages)
    .filter(([path, { dev }]) => path !== '' && dev !== true)
    .map(([path, { version, license }]) => ({
      name: path.replace(/^.*node_modules\//, ''),
      version: version ?? '?',
      licence: license ?? null,
    }));
  const named = new Map(parts.map((part) => [`${part.name} ${part.version}`, part]));
  return [...named.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}
