/**
 * Writes docs/errors.md from the catalogue of error codes. `node scripts/generate-errors.ts` writes; with `--check` it
 * changes nothing and exits 1 on a difference.
 */

import { ERROR_GROUPS } from '../src/contracts/errors/error-code.ts';
import type { ErrorEntry } from '../src/contracts/errors/error-entry.ts';
import { EXIT } from '../src/contracts/exit-code.ts';
import { writeGenerated } from './write-generated.ts';

const SOURCE = 'src/contracts/errors';
const SCRIPT = 'generate-errors.ts';

const groups: readonly (readonly [string, Readonly<Record<string, ErrorEntry>>])[] =
  Object.entries(ERROR_GROUPS);

function entryText([code, { means, why, fix, exit = EXIT.usage }]: readonly [string, ErrorEntry]): string {
  return `### \`${code}\`\n\n${means}\n\n- **Why**: ${why}\n- **What to do**: ${fix}\n- **Exit status**: ${exit}\n`;
}

writeGenerated(
  'docs/errors.md',
  `# Error codes

GENERATED from ${SOURCE} by \`node scripts/${SCRIPT}\`.

Every error has a code that never changes. An error prints four things: what happened, why, how to fix it, and its code
with a link to this page. With \`--json\`, the last line on stdout has the same in \`error\`: \`code\`, \`message\`, \`why\`, \`hint\` and \`page\`.

The [exit status](environment.md#exit-codes) tells scripts what kind of error it was.

${groups
  .map(([title, entries]) => `## ${title}\n\n${Object.entries(entries).map(entryText).join('\n')}`)
  .join('\n')}`,
  { source: SOURCE, script: SCRIPT },
);
