import { Buffer } from 'node:buffer';
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { RowPlace } from '../charging/record-store.ts';
import type { AskedSelection } from '../formats/usage-query.ts';
import { ApiError, invalidRequest } from '../http/api-error.ts';
import type { Readings } from '../readings/readings.ts';

const time = z
  .string()
  .regex(/^\d{1,19}$/)
  .transform(BigInt);
/** The last record of a page, the selection it belongs to and when it was made; `check` binds key, window and filters (interface §4). */
const cursorContent = z
  .tuple([z.int(), z.string(), time, time, z.string()], z.int())
  .transform(([createdAt, id, start, end, check, madeAt = 0]) => ({
    createdAt,
    id,
    start,
    end,
    check,
    madeAt,
  }));
type PageCursor = z.infer<typeof cursorContent>;

/** `madeAt`: Unix seconds, of a cursor that expires; null for one that works for ever. */
export function writePageCursor(
  keyFingerprint: string,
  selection: AskedSelection,
  last: RowPlace,
  madeAt: number | null,
): string {
  const dated = madeAt === null ? [] : [madeAt];
  const { start, end } = selection.window;
  const check = checkOf(keyFingerprint, selection);
  const content = [last.createdAt, last.id, String(start), String(end), check, ...dated];
  return Buffer.from(JSON.stringify(content)).toString('base64url');
}

/** Throws 400 for a text that is no cursor, and 410 for one that has outlived the life that the readings give it. */
export function readPageCursor(text: string, now_s: number, { cursor_life_s }: Readings): PageCursor {
  const cursor = contentOf(text);
  if (cursor_life_s === null || now_s - cursor.madeAt < cursor_life_s) return cursor;
  const message = "Invalid value for 'before': the cursor has expired; read from the first page";
  throw new ApiError({ status: 410, type: 'invalid_request_error', message });
}

function contentOf(text: string): PageCursor {
  try {
    return cursorContent.parse(JSON.parse(Buffer.from(text, 'base64url').toString()));
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
