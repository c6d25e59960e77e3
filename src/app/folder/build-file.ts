import { join } from 'node:path';
import { z } from 'zod';
import { type FolderFile, readFolderFile, writeFolderFile } from './folder-file.ts';

const FILE = 'build.json';

const content = z.strictObject({ revision: z.string() });

const KIND: FolderFile<z.infer<typeof content>> = {
  code: 'build_unreadable',
  version: 'weighbridge.build/1',
  content,
  hint: 'take the file that the run wrote, or remove it to report the run without its build',
};

/** Keeps in the run folder which commit ran; nothing where that is not known. */
export function writeBuild(runDir: string, revision: string | null): void {
  if (revision !== null) writeFolderFile(join(runDir, FILE), KIND, { revision });
}

/** The commit that made the run folder, not the one that judges it again: the same folder gives the same bytes. */
export function readBuild(runDir: string): string | null {
  return readFolderFile(join(runDir, FILE), KIND)?.revision ?? null;
}
