import { EXIT } from '../core/exit-code.ts';
import { WeighbridgeError } from '../core/failure.ts';

export interface RenderedError {
  readonly lines: readonly string[];
  readonly exitCode: number;
}

/** The one place where an error becomes text: message, hint and code; a stack only for faults of ours. */
export function renderError(error: unknown): RenderedError {
  if (error instanceof WeighbridgeError) {
    return {
      lines: [
        ...error.message
          .split('\n')
          .map((line, index) => (index === 0 ? `error: ${line}` : `       ${line}`)),
        `  fix: ${error.hint}`,
        ` code: ${error.code}`,
      ],
      exitCode: error.exitCode,
    };
  }
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    lines: [
      `error: a fault of ours: ${text}`,
      '  fix: please report it with the lines above',
      ' code: internal',
    ],
    exitCode: EXIT.internal,
  };
}
