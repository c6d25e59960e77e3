import { createHash } from 'node:crypto';

export const MANIFEST = 'MANIFEST.sha256';

/** `sha256sum` reads it; lines that begin with `#` are comments to it. */
export function manifestOf(files: ReadonlyMap<string, Uint8Array>): string {
  const lines = [...files].map(
    ([name, bytes]) => `${createHash('sha256').update(bytes).digest('hex')}  ${name}`,
  );
  return [
    `# check:  sha256sum --check ${MANIFEST}`,
    `# sign:   ssh-keygen -Y sign -f ~/.ssh/id_ed25519 -n weighbridge-claim ${MANIFEST}`,
    ...lines,
    '',
  ].join('\n');
}
