import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

const PREFIX = 'wb-tests-';

/**
 * Gives a run of tests, and every process that it starts, one temporary folder, which goes when the run ends. A run inside
 * another takes the other's folder: a browser can't open its socket below a path of more than 108 bytes.
 */
export default function temporaryRoot(): () => void {
  if (basename(tmpdir()).startsWith(PREFIX)) return () => {};
  const root = mkdtempSync(join(tmpdir(), PREFIX));
  const remove = (): void => rmSync(root, { recursive: true, force: true, maxRetries: 10 });
  process.env['TMPDIR'] = root;
  // A run that is interrupted tears nothing down.
  process.once('exit', remove);
  return remove;
}
