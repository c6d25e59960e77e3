import { stripVTControlCharacters } from 'node:util';
import type { Interrupts } from '../../app/notices/notices.ts';
import { errorParts, errorTail } from '../../app/notices/render-error.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { visibleControls } from '../../text/visible-controls.ts';
import { type FrameSize, frame } from './frame.ts';
import { watchParent } from './parent-watch.ts';
import type { Terminal } from './terminal.ts';

export function processTerminal(host: NodeJS.Process): Terminal {
  const live = host.stderr.isTTY === true && host.env['TERM'] !== 'dumb' && host.env['CI'] === undefined;
  const writer = new FrameWriter();
  const size = (): FrameSize => ({ columns: host.stderr.columns ?? width, rows: host.stderr.rows ?? 24 });
  // One write with the line that comes in its place, where both go to the same stream.
  const erased = (): string => writer.erase(size().columns);
  const clear = (): void => {
    if (writer.drawn) host.stderr.write(erased());
  };
  if (live) {
    // Whatever ends us, the cursor does not stay hidden.
    host.once('exit', clear);
    // Nor while we are stopped (Ctrl-Z): the next frame hides it again.
    host.on('SIGTSTP', () => {
      clear();
      host.kill(host.pid, 'SIGSTOP');
    });
  }
  const width = host.stdout.columns ?? 100;
  // Progress that nobody can read is not worth failing for.
  host.stderr.on('error', () => undefined);
  host.stdout.on('error', failLater(host));
  return {
    width,
    env: host.env,
    shows: live ? 'frames' : null,
    interrupts: () => listenForInterrupts(host),
    out(line) {
      clear();
      host.stdout.write(`${visibleControls(line)}\n`);
    },
    err(line) {
      host.stderr.write(`${erased()}${visibleControls(line)}\n`);
    },
    show(progress) {
      if (!live) return;
      const now = size();
      const lines = progress === null ? [] : frame(progress, now, wantsColour(host.env));
      const bytes = writer.draw(lines, now.columns);
      if (bytes !== '') host.stderr.write(bytes);
    },
  };
}

/** https://no-color.org: any value that is not empty says no. */
export function wantsColour(env: Readonly<Record<string, string | undefined>>): boolean {
  return (env['NO_COLOR'] ?? '') === '';
}

/**
 * Says once that results cannot be printed, and ends with 1 when all is done: files being written and calls under way
 * are worth more than a line. `weighbridge plan | head` closes the pipe early: what is left has no reader, and that is
 * no fault.
 */
function failLater(host: NodeJS.Process): (error: Error) => void {
  let said = false;
  return (error) => {
    if (said || ('code' in error && error.code === 'EPIPE')) return;
    said = true;
    const message = `Weighbridge could not write its result to standard output: ${error.message}.`;
    const parts = errorParts('stdout_failed', message);
    host.stderr.write(`${[`error: ${message}`, ...errorTail(parts)].join('\n')}\n`);
    host.once('exit', () => {
      host.exitCode = EXIT.internal;
    });
  };
}

function listenForInterrupts(host: NodeJS.Process): Interrupts {
  let seen = 0;
  const listeners = new Set<(count: number) => void>();
  const { promise: first, resolve } = Promise.withResolvers<void>();
  const onSignal = (): void => {
    seen += 1;
    resolve();
    for (const listener of listeners) listener(seen);
  };
  host.on('SIGINT', onSignal);
  host.on('SIGTERM', onSignal);
  // At a Ctrl-C both get the signal: their end is no second one.
  const endWatch = watchParent(host, () => {
    if (seen === 0) onSignal();
  });
  return {
    count: () => seen,
    first,
    onSignal: (listener) => {
      listeners.add(listener);
      if (seen > 0) listener(seen);
      return () => listeners.delete(listener);
    },
    release: () => {
      endWatch();
      host.off('SIGINT', onSignal);
      host.off('SIGTERM', onSignal);
    },
  };
}

const HIDE_CURSOR = '\u001b[?25l';
const SHOW_CURSOR = '\u001b[?25h';
/** A terminal that knows it shows what stands between at once; the others pass over it. */
const BEGIN_UPDATE = '\u001b[?2026h';
const END_UPDATE = '\u001b[?2026l';
const CLEAR_TO_LINE_END = '\u001b[K';
const CLEAR_BELOW = '\u001b[J';

/**
 * Makes the bytes that put one frame in the place of the last one, to be written at once. Each line is painted over the
 * old one and then cleared behind, so that nothing is dark in between.
 */
export class FrameWriter {
  #lines: readonly string[] = [];

  get drawn(): boolean {
    return this.#lines.length > 0;
  }

  /** `columns`: those that the terminal has now; it may have broken the lines of the last frame anew. */
  draw(lines: readonly string[], columns: number): string {
    if (lines.length === 0) return this.erase(columns);
    const text = lines.map((line) => `${line}${CLEAR_TO_LINE_END}\n`).join('');
    const bytes = `${BEGIN_UPDATE}${HIDE_CURSOR}${this.#toTop(columns)}${text}${CLEAR_BELOW}${END_UPDATE}`;
    this.#lines = lines;
    return bytes;
  }

  /** Takes the frame away and gives the cursor back; nothing where none is drawn. */
  erase(columns: number): string {
    if (!this.drawn) return '';
    const bytes = `${this.#toTop(columns)}${CLEAR_BELOW}${SHOW_CURSOR}`;
    this.#lines = [];
    return bytes;
  }

  #toTop(columns: number): string {
    const rows = this.#lines.reduce((sum, line) => sum + rowsOf(line, columns), 0);
    return rows === 0 ? '' : `\r\u001b[${rows}A`;
  }
}

function rowsOf(line: string, columns: number): number {
  return Math.max(1, Math.ceil(stripVTControlCharacters(line).length / Math.max(1, columns)));
}
