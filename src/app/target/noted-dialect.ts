import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DIALECTS, type Dialect, type DialectSetting } from '../../contracts/dialect.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { replaceFile } from '../../files/replace-file.ts';
import { jsonOf } from '../../text/json-of.ts';

const FILE = 'dialect.json';
const SCHEMA = 'weighbridge.dialect/1';
const note = z.looseObject({ schema: z.literal(SCHEMA), dialect: z.enum(DIALECTS) });

interface SeenDialect {
  /** What the target shows now, or what was asked for. */
  readonly dialect: Dialect;
  readonly asked: DialectSetting;
  /** Another server at the same port is no surprise there. */
  readonly loopback: boolean;
}

/**
 * Notes in the folder of a target how it serves its bill. Throws `dialect_changed` (exit 2) where it now looks like another one
 * and nobody said so: a gateway whose usage reads are gone for a minute must not be loaded as a server without a bill.
 */
export function holdDialect(home: string | null, { dialect, asked, loopback }: SeenDialect): void {
  if (home === null) return;
  const path = join(home, FILE);
  const held = existsSync(path) ? note.safeParse(jsonOf(readFileSync(path, 'utf8'))).data : undefined;
  if (held?.dialect === dialect) return;
  if (held !== undefined && asked === 'auto' && !loopback) throw changed(held.dialect, dialect);
  replaceFile(path, `${JSON.stringify({ schema: SCHEMA, dialect })}\n`);
}

function changed(before: Dialect, now: Dialect): WeighbridgeError {
  return new WeighbridgeError({
    code: 'dialect_changed',
    message: `The target served its bill as ${before} before, and now serves it as ${now}. No paid call was sent.`,
    hint: `If this change is intended, give --dialect ${now} once. Otherwise wait until the target answers as before.`,
  });
}
