import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Version of the package, from the package.json that ships beside bin/. */
export const VERSION = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))).version;
