import { z } from 'zod';

/** One engine package: our k6 for one system, as it was built. */
const enginePackage = z.object({
  package: z.string(),
  version: z.string(),
  /** Of the binary, not of the tarball. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  bytes: z.int().positive(),
});

/** Names the engine packages that were built from the same sources, by system; empty where none was. */
export const engineList = z.object({ engines: z.record(z.string(), enginePackage) });
export type EngineList = z.infer<typeof engineList>;

/** Names a system as Node does: `linux-x64`, `darwin-arm64`, `win32-x64`. */
export function systemName(platform: string = process.platform, arch: string = process.arch): string {
  return `${platform}-${arch}`;
}
