import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Gives a run of tests, and every process that it starts, one temporary folder, which goes when the run ends. */
export default function temporaryRoot(): () => void {
  const root = mkdtempSync(join(tmpdir(), 'weighbridge-tests-'));
  const remove = (): void => rmSync(root, { recursive: true, force: true, maxRetries: 10 });
  process.env['TMPDIR'] = root;
  // A run that is interrupted tears nothing down.
  process.once('exit', remove);
  return remove;
}
