import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ErrorCode } from '../../contracts/errors/error-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { replaceFile } from '../../files/replace-file.ts';

/** A file that a run folder may hold beside what the load engine wrote. Its first member names its version. */
interface FolderFileForm<Content> {
  readonly name: string;
  /** Of the error where it cannot be read. */
  readonly code: ErrorCode;
  readonly version: string;
  readonly content: z.ZodType<Content>;
  /** What mends a file that cannot be read. */
  readonly hint: string;
}

/** Reads and writes one file of any run folder. */
export interface FolderFile<Content> {
  /** Null where there is no such file. Throws the code of the file (exit 2) where it cannot be read. */
  read(runDir: string): Content | null;
  write(runDir: string, content: Content): void;
  /** Does nothing where there is no such file. */
  remove(runDir: string): void;
}

export function folderFile<Content extends object>(form: FolderFileForm<Content>): FolderFile<Content> {
  const { name, code, version, content, hint } = form;
  const versioned = z
    .looseObject({ schema: z.literal(version) })
    .transform(({ schema: _, ...rest }): unknown => rest)
    .pipe(content);
  return {
    read(runDir) {
      const file = join(runDir, name);
      if (!existsSync(file)) return null;
      const parsed = versioned.safeParse(jsonOrText(readFileSync(file, 'utf8')));
      if (parsed.success) return parsed.data;
      const message = `The file ${file} is not a ${version} file:\n${z.prettifyError(parsed.error)}`;
      throw new WeighbridgeError({ code, message, hint });
    },
    write(runDir, kept) {
      replaceFile(join(runDir, name), `${JSON.stringify({ schema: version, ...kept }, null, 2)}\n`);
    },
    remove(runDir) {
      rmSync(join(runDir, name), { force: true });
    },
  };
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Why a file that was given could not be read, in words. */
export function unreadReason(cause: unknown): string {
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  if (code === 'ENOENT') return 'there is no such file';
  if (code === 'EISDIR') return 'it is a folder';
  if (code === 'EACCES') return 'you have no permission to read it';
  return cause instanceof Error ? cause.message : String(cause);
}
