import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { withPagePaths } from './page-path.ts';

export interface RenderedError {
  readonly lines: readonly string[];
  readonly exitCode: number;
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

/** The disk's fault, not ours: a stack would not help. */
const NO_ROOM = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EIO'];

/** The one place where an error becomes text: message, hint and code; a stack only for faults of ours. */
export function renderError(error: unknown): RenderedError {
  if (error instanceof WeighbridgeError) {
    const { code, message, hint, exitCode } = error;
    return rendered(`error: ${message.replaceAll('\n', '\n       ')}`, { code, message, hint, exitCode });
  }
  const message = error instanceof Error ? error.message : String(error);
  if (
    error instanceof Error &&
    'code' in error &&
    typeof error.code === 'string' &&
    NO_ROOM.includes(error.code)
  ) {
    const hint =
      'make room where --out and --state stand, or give them another disk; what was sent stands in the ledger: weighbridge reconcile --ledger';
    return rendered(`error: ${message}`, { code: 'disk', message, hint, exitCode: EXIT.internal });
  }
  const stack = error instanceof Error ? (error.stack ?? message) : message;
  const hint = 'please report it with the lines above';
  return rendered(`error: a fault of ours: ${stack}`, {
    code: 'internal',
    message,
    hint,
    exitCode: EXIT.internal,
  });
}

function rendered(text: string, parts: Omit<RenderedError, 'lines'>): RenderedError {
  const hint = withPagePaths(parts.hint);
  return { lines: [...text.split('\n'), `  fix: ${hint}`, ` code: ${parts.code}`], ...parts, hint };
}
