import { z } from 'zod';
import type { Tally } from './tally.ts';

const goEvent = z.object({
  Action: z.string(),
  Package: z.string().optional(),
  Test: z.string().optional(),
  Output: z.string().optional(),
});
type GoEvent = z.infer<typeof goEvent>;

/** What `go test -json` printed: its tests, and what is to be read where it failed. */
export function readGoTests(
  output: string,
  status: number,
): { readonly tally: Tally; readonly said: string } {
  const events = output.split('\n').flatMap((line) => goEvent.safeParse(parseJson(line)).data ?? []);
  const ended = (action: string) =>
    events.filter((event) => event.Action === action && event.Test !== undefined);
  return {
    tally: {
      passed: ended('pass').length,
      failed: Math.max(ended('fail').length, status === 0 ? 0 : 1),
      skipped: ended('skip').map(nameOf),
    },
    said: failuresOf(events, output),
  };
}

/** The output of the tests and packages that failed, and of what did not compile. */
function failuresOf(events: readonly GoEvent[], output: string): string {
  const bad = new Set(events.filter((event) => event.Action === 'fail').map(nameOf));
  const text = events.filter((event) => bad.has(nameOf(event))).map((event) => event.Output ?? '');
  const rest = output.split('\n').filter((line) => !line.startsWith('{'));
  return [...text, ...rest].join('');
}

function nameOf({ Package, Test }: GoEvent): string {
  return `${Package} ${Test ?? ''}`;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}
