import { ERRORS, type ErrorCode, errorPage } from '../../contracts/errors/error-code.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { withPagePaths } from './page-path.ts';

/** An error as programs get it with `--json`: what happened, why, what to do, and the page that explains the code. */
export interface ErrorText {
  readonly code: ErrorCode;
  readonly message: string;
  readonly why: string;
  readonly hint: string;
  readonly page: string;
}

export interface RenderedError extends ErrorText {
  readonly lines: readonly string[];
  readonly exitCode: number;
}

/** The disk's fault, not ours: a stack would not help. */
const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EIO'];

/** The one place where an error becomes text: what, why, what to do, code; a stack only for faults of ours. */
export function renderError(error: unknown): RenderedError {
  if (error instanceof WeighbridgeError) {
    const { code, message, hint, exitCode } = error;
    return rendered(message, errorParts(code, message, hint), exitCode);
  }
  const message = error instanceof Error ? error.message : String(error);
  if (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    NO_ROOM.includes(error.code)
  ) {
    const parts = errorParts('disk', message);
    return rendered(message, parts, EXIT.internal);
  }
  const stack = error instanceof Error ? (error.stack ?? message) : message;
  return rendered(`Weighbridge has a bug: ${stack}`, errorParts('internal', message), EXIT.internal);
}

/** Without a `hint` of its own an error gives that of the catalogue. */
export function errorParts(code: ErrorCode, message: string, hint = ERRORS[code].fix): ErrorText {
  const page = withPagePaths(errorPage(code));
  return { code, message, why: plain(ERRORS[code].why), hint: withPagePaths(plain(hint)), page };
}

/** The lines below the message, as every error has them. */
export function errorTail({ code, why, hint, page }: ErrorText): readonly string[] {
  return [`  why: ${why}`, `  fix: ${hint}`, ` code: ${code} (${page})`];
}

function rendered(text: string, parts: ErrorText, exitCode: number): RenderedError {
  const lines = `error: ${text.replaceAll('\n', '\n       ')}`.split('\n');
  return { ...parts, lines: [...lines, ...errorTail(parts)], exitCode };
}

/** Markdown links of the catalogue as a terminal shows them: the text and the page. */
function plain(text: string): string {
  return text
    .replaceAll(/\[([^\]]+)\]\(([\w-]+\.md)(#[\w-]+)?\)/g, '$1 (docs/$2)')
    .replaceAll(/<(https:[^>]+)>/g, '$1');
}
