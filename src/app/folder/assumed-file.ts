import { type AssumedFile, assumedSchema, parseAssumed } from '../../config/assumed-readings.ts';
import { type FolderFile, folderFile } from './folder-file.ts';

const ASSUMED_FILE: FolderFile<AssumedFile> = folderFile({
  name: 'assumed.json',
  code: 'assumed_unreadable',
  version: 'weighbridge.assumed/1',
  content: assumedSchema,
  hint: 'give `--assume-reading` again, which writes the file anew, or remove it to judge without',
});

/**
 * Keeps what `--assume-reading` gave in the run folder, in place of what it held, so that its next verdicts read alike;
 * nothing where no flag was given. Throws `assume_reading_invalid` (exit 2).
 */
export function storeAssumed(runDir: string, given: readonly string[]): void {
  if (given.length > 0) ASSUMED_FILE.write(runDir, parseAssumed(given));
}

/** What the verdicts on a folder assume in place of its configuration; null where that holds alone. */
export function readAssumed(runDir: string): AssumedFile | null {
  return ASSUMED_FILE.read(runDir);
}
