import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Most characters of a message that are kept. */
const LENGTH = 300;

/** What k6 said when a script or a threshold ended the run, from the run's log; null where it said nothing. */
export async function abortMessage(runDir: string): Promise<string | null> {
  const log = await readFile(join(runDir, 'run.log'), 'utf8').catch(() => '');
  const told = log
    .split('\n')
    .flatMap((line) => /level=error msg="((?:[^"\\]|\\.)*)"/.exec(line)?.[1] ?? [])
    .findLast((text) => /^test aborted|abortOnFail/.test(text));
  return told === undefined ? null : unquoted(told).slice(0, LENGTH);
}

function unquoted(text: string): string {
  return text.replaceAll(/\\(.)/g, (_, letter: string) => (letter === 'n' || letter === 't' ? ' ' : letter));
}
