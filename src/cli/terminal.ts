import { EXIT } from '../core/exit-code.ts';

/** Where a command prints: results to `out`, progress and errors to `err`. The only printing in the project. */
export interface Terminal {
  out(line: string): void;
  err(line: string): void;
  /** Replaces the last live line; only where `live` is true. */
  redraw(line: string): void;
  /** stderr is a terminal on which a line may be redrawn. */
  readonly live: boolean;
  readonly width: number;
  readonly env: Readonly<Record<string, string | undefined>>;
}

export function processTerminal(host: NodeJS.Process): Terminal {
  const live = host.stderr.isTTY === true && host.env['TERM'] !== 'dumb' && host.env['CI'] === undefined;
  let drawn = false;
  const clear = (): void => {
    if (drawn) host.stderr.write('\r\u001b[2K');
    drawn = false;
  };
  const width = host.stdout.columns ?? 100;
  // Progress that nobody can read is not worth failing for.
  host.stderr.on('error', () => undefined);
  host.stdout.on('error', failLater(host));
  return {
    live,
    width,
    env: host.env,
    out(line) {
      clear();
      host.stdout.write(`${withoutControls(line)}\n`);
    },
    err(line) {
      clear();
      host.stderr.write(`${withoutControls(line)}\n`);
    },
    redraw(line) {
      clear();
      host.stderr.write(withoutControls(line).slice(0, Math.max(20, (host.stderr.columns ?? width) - 1)));
      drawn = true;
    },
  };
}

/** What a target or a file says must not steer the terminal: control characters stand as JSON writes them. */
export function withoutControls(line: string): string {
  return line.replaceAll(
    /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/gu,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Says once that results could not be printed, and ends with 1 when all is done: files that are being written, and calls
 * that are under way, are worth more than a line. `weighbridge plan | head` closes the pipe early: what is left to print
 * has no reader then, and that is no fault.
 */
function failLater(host: NodeJS.Process): (error: Error) => void {
  let said = false;
  return (error) => {
    if (said || ('code' in error && error.code === 'EPIPE')) return;
    said = true;
    host.stderr.write(
      `error: stdout cannot be written (${error.message}); files are written all the same; code: stdout_failed\n`,
    );
    host.once('exit', () => {
      host.exitCode = EXIT.internal;
    });
  };
}
