import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Renamed into place: of a full disk, or a kill at any moment, the whole file stands there or the one before. */
export function replaceFile(file: string, text: string): void {
  const part = `${file}.part`;
  try {
    writeFileSync(part, text);
    renameSync(part, file);
  } catch (error) {
    // What is left of it takes room that nobody gives back.
    rmSync(part, { force: true, recursive: true });
    throw error;
  }
}
