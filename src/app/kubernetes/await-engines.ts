import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { STATE_SCHEMA } from '../../contracts/schema-names.ts';
import { parseLedgerLine } from '../../ledger/parse-ledger-line.ts';

export interface AwaitOptions {
  /** Folder of ledger files; it may come later. */
  readonly calls: string;
  readonly engines: number;
  readonly withinMs: number;
  readonly pollMs: number;
  readonly say: (line: string) => void;
}

export interface AwaitedEngines {
  /** Names of those whose ledger is closed. */
  readonly closed: readonly string[];
  /** Names of those whose ledger has no end: they run still, or were killed. */
  readonly open: readonly string[];
}

/** Waits until the ledgers of so many engines are closed, or the time is up. */
export async function awaitEngines(options: AwaitOptions): Promise<AwaitedEngines> {
  const until = performance.now() + options.withinMs;
  let told = '';
  for (;;) {
    const found = await look(options.calls);
    const line = `${found.closed.length} of ${options.engines} engines have closed their ledgers`;
    if (line !== told) options.say(line);
    told = line;
    if (found.closed.length >= options.engines || performance.now() >= until) return found;
    await pause(Math.min(options.pollMs, Math.max(0, until - performance.now())));
  }
}

async function look(calls: string): Promise<AwaitedEngines> {
  const names = await readdir(calls).catch(() => []);
  const ends = await Promise.all(
    names
      .filter((name) => name.endsWith('.ndjson'))
      .sort()
      .map(async (name) => ({
        instance: name.replace(/-\d+\.ndjson$/, ''),
        isClosed: await isClosed(join(calls, name)),
      })),
  );
  const open = unique(ends.filter(({ isClosed }) => !isClosed));
  return { closed: unique(ends).filter((name) => !open.includes(name)), open };
}

function unique(ends: readonly { readonly instance: string }[]): readonly string[] {
  return [...new Set(ends.map(({ instance }) => instance))];
}

/** A state line of many scenarios stays below it by far. */
const TAIL_BYTES = 1 << 20;

/** True where the last line is a final state: a ledger that was closed in order ends with one. */
async function isClosed(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const length = Math.min(size, TAIL_BYTES);
    const { buffer } = await file.read(Buffer.alloc(length), 0, length, size - length);
    const text = buffer.toString('utf8');
    if (!text.endsWith('\n')) return false;
    const parsed = parseLedgerLine(text.trimEnd().split('\n').at(-1) ?? '');
    return 'line' in parsed && parsed.line.schema === STATE_SCHEMA && parsed.line.final;
  } finally {
    await file.close();
  }
}
