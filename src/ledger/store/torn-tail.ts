import { constants } from 'node:fs';
import { copyFile, open, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { jsonOf } from '../../text/json-of.ts';

/** A file whose last line was cut off while it was written. */
export interface TornFile {
  readonly file: string;
  /** What stands there of the line. */
  readonly tail: string;
  readonly copy: string;
}

export interface WholeFiles {
  readonly files: readonly string[];
  readonly torn: readonly TornFile[];
  /** Every last line that is not torn has its newline: what is appended will be lines of their own. */
  readonly ended: boolean;
}

/**
 * The files as a reader may take them that refuses half a line: one whose last line has no newline and is no JSON is
 * copied to `temp_dir` without it.
 */
export async function withoutTornTails(
  files: readonly string[],
  tempDir: string,
  name = 'file',
): Promise<WholeFiles> {
  let ended = true;
  const torn: TornFile[] = [];
  const whole: string[] = [];
  for (const [index, file] of files.entries()) {
    const { text, at } = await lastLine(file);
    if (text.trim() === '' || jsonOf(text) !== undefined) {
      ended &&= text === '';
      whole.push(file);
      continue;
    }
    const copy = join(tempDir, `whole-${name}-${index}.ndjson`);
    await copyFile(file, copy, constants.COPYFILE_FICLONE);
    await truncate(copy, at);
    torn.push({ file, tail: text, copy });
    whole.push(copy);
  }
  return { files: whole, torn, ended };
}

const STEP = 65_536;

/** What stands behind the last newline of a file, and where it begins. */
async function lastLine(file: string): Promise<{ readonly text: string; readonly at: number }> {
  const handle = await open(file);
  try {
    let at = (await handle.stat()).size;
    let tail = Buffer.alloc(0);
    while (at > 0) {
      const size = Math.min(STEP, at);
      const part = Buffer.alloc(size);
      await handle.read(part, 0, size, at - size);
      const newline = part.lastIndexOf(10);
      tail = Buffer.concat([part.subarray(newline + 1), tail]);
      at -= size - (newline + 1);
      if (newline !== -1) break;
    }
    return { text: tail.toString('utf8'), at };
  } finally {
    await handle.close();
  }
}
