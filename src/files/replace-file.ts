import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** How a file is made: readable by whom, and whether a power cut may still lose it after the call. */
export interface Replacing {
  readonly mode?: number;
  readonly flush?: boolean;
}

/** Renamed into place: of a full disk, or a kill at any moment, the whole file stands there or the one before. */
export function replaceFile(file: string, content: string | Uint8Array, how: Replacing = {}): void {
  replaceFileBy(file, (part) => writeFileSync(part, content, how));
}

/** The same for what is written piece by piece, to the path that is given. */
export function replaceFileBy(file: string, write: (part: string) => void): void {
  const part = partOf(file);
  try {
    write(part);
    renameSync(part, file);
  } catch (error) {
    leaveNothing(part);
    throw error;
  }
}

/** The same for a writer that is awaited. */
export async function replaceFileAfter(file: string, write: (part: string) => Promise<void>): Promise<void> {
  const part = partOf(file);
  try {
    await write(part);
    renameSync(part, file);
  } catch (error) {
    leaveNothing(part);
    throw error;
  }
}

function partOf(file: string): string {
  return `${file}.part`;
}

/** What is left of it takes room that nobody gives back. */
function leaveNothing(part: string): void {
  rmSync(part, { force: true, recursive: true });
}
