import { BOOK_ERRORS } from './book-errors.ts';
import { COMMAND_ERRORS } from './command-errors.ts';
import { CONFIG_ERRORS } from './config-errors.ts';
import { ENGINE_ERRORS } from './engine-errors.ts';
import type { ErrorEntry } from './error-entry.ts';
import { FILE_ERRORS } from './file-errors.ts';
import { GATEWAY_ERRORS } from './gateway-errors.ts';
import { TARGET_ERRORS } from './target-errors.ts';

/** All error codes, in the order of docs/errors.md. */
export const ERROR_GROUPS = {
  'Commands and flags': COMMAND_ERRORS,
  'Configuration and credentials': CONFIG_ERRORS,
  'Target, money and state': TARGET_ERRORS,
  'Set-up and load engine': ENGINE_ERRORS,
  'Runs and files': FILE_ERRORS,
  'Price lists and bills': BOOK_ERRORS,
  'Embedded gateway': GATEWAY_ERRORS,
} as const;

const ENTRIES = {
  ...COMMAND_ERRORS,
  ...CONFIG_ERRORS,
  ...TARGET_ERRORS,
  ...ENGINE_ERRORS,
  ...FILE_ERRORS,
  ...BOOK_ERRORS,
  ...GATEWAY_ERRORS,
};

/** A stable name of one kind of error: programs may compare it. */
export type ErrorCode = keyof typeof ENTRIES;

/** The catalogue: what each error means, why the program stops, what to do. */
export const ERRORS: Readonly<Record<ErrorCode, ErrorEntry>> = ENTRIES;

export function isErrorCode(code: string): code is ErrorCode {
  return Object.hasOwn(ERRORS, code);
}

/** Where docs/errors.md explains a code. */
export function errorPage(code: ErrorCode): string {
  return `docs/errors.md#${code}`;
}
