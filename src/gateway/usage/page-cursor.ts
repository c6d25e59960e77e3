import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { ChargeRecord } from '../events/charge-record.ts';
import type { AskedSelection } from '../formats/usage-query.ts';
import { invalidRequest } from '../http/api-error.ts';

const time = z
  .string()
  .regex(/^\d{1,19}$/)
  .transform(BigInt);
const cursorContent = z.tuple([z.int(), z.string(), time, time, z.string()]);

/** The last record of a page and the selection it belongs to. */
export interface PageCursor {
  readonly createdAt: number;
  readonly id: string;
  readonly start: bigint;
  readonly end: bigint;
  /** Binds key, window and filters: another selection may not go on from here (interface §4). */
  readonly check: string;
}

export function writeCursor(keyFingerprint: string, selection: AskedSelection, last: ChargeRecord): string {
  const { start, end } = selection.window;
  const content = [last.createdAt, last.id, String(start), String(end), checkOf(keyFingerprint, selection)];
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

/** Throws 400 for a text that is no cursor. */
export function readCursor(text: string): PageCursor {
  try {
    const decoded: unknown = JSON.parse(Buffer.from(text, 'base64url').toString());
    const [createdAt, id, start, end, check] = cursorContent.parse(decoded);
    return { createdAt, id, start, end, check };
  } catch {
    throw invalidRequest("Invalid value for 'before': it is not a cursor of this service");
  }
}

/** Throws 400 unless the cursor was made for this key, window and these filters. */
export function requireSameSelection(
  cursor: PageCursor,
  keyFingerprint: string,
  selection: AskedSelection,
): void {
  if (cursor.check === checkOf(keyFingerprint, selection)) return;
  throw invalidRequest("Invalid value for 'before': the window and filters of the first page must be kept");
}

function checkOf(keyFingerprint: string, { window, model, requestId }: AskedSelection): string {
  const bound = JSON.stringify([keyFingerprint, String(window.start), String(window.end), model, requestId]);
  return createHash('sha256').update(bound).digest('base64url').slice(0, 16);
}
