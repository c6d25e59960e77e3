import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { replaceFile } from '../../files/replace-file.ts';

/** A file that a run folder may hold beside what the load engine wrote. Its first member names its version. */
export interface FolderFile<Content> {
  readonly code: string;
  readonly version: string;
  readonly content: z.ZodType<Content>;
  /** What mends a file that cannot be read. */
  readonly hint: string;
}

export function writeFolderFile<Content extends object>(
  file: string,
  { version }: FolderFile<Content>,
  content: Content,
): void {
  replaceFile(file, `${JSON.stringify({ schema: version, ...content }, null, 2)}\n`);
}

/** Null where there is no such file. */
export function readFolderFile<Content>(file: string, kind: FolderFile<Content>): Content | null {
  if (!existsSync(file)) return null;
  const versioned = z
    .looseObject({ schema: z.literal(kind.version) })
    .transform(({ schema: _, ...rest }): unknown => rest)
    .pipe(kind.content);
  const parsed = versioned.safeParse(parseJson(readFileSync(file, 'utf8')));
  if (parsed.success) return parsed.data;
  throw new WeighbridgeError({
    code: kind.code,
    message: `${file}: expected ${kind.version}, found ${z.prettifyError(parsed.error)}`,
    hint: kind.hint,
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
