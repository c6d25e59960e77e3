import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { jsonOf } from '../../text/json-of.ts';

const readLine = z.looseObject({
  read: z.string(),
  read_at: z.string(),
  sweep: z.number(),
  sha256: z.string().nullable(),
  key_fp: z.string().nullable().default(null),
});

/** What was read from the target, or from files in its place, as a run folder notes it; lines that cannot be read are left out. */
export function notedReads(runDir: string): readonly z.infer<typeof readLine>[] {
  const file = join(runDir, 'usage', 'pages.ndjson');
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text.split('\n').flatMap((line) => readLine.safeParse(jsonOf(line)).data ?? []);
}
