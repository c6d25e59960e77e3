import * as z from 'zod';
import type { LogRow } from './log-rows.ts';

const LARGEST_PAGE = 100;
const USUAL_PAGE = 10;

/** A number that is wrong or missing is 0 there, never an error. */
const whole = z
  .string()
  .regex(/^\d{1,12}$/)
  .transform(Number)
  .catch(0)
  .default(0);

const query = z.looseObject({
  p: whole,
  page_size: whole,
  type: whole,
  start_timestamp: whole,
  end_timestamp: whole,
  model_name: z.string().catch('').default(''),
  token_name: z.string().catch('').default(''),
  group: z.string().catch('').default(''),
  request_id: z.string().catch('').default(''),
});
type LogQuery = z.infer<typeof query>;

/** One page of `GET /api/log/self`: by position, so that rows that come meanwhile shift it. */
export function logPage(rows: readonly LogRow[], asked: unknown): object {
  const wanted = query.parse(asked);
  const page = Math.max(1, wanted.p);
  const page_size = Math.min(LARGEST_PAGE, wanted.page_size === 0 ? USUAL_PAGE : wanted.page_size);
  const found = selected(rows, wanted);
  const from = (page - 1) * page_size;
  return { page, page_size, total: found.length, items: numbered(found.slice(from, from + page_size), from) };
}

/** `id` is the position in the answer: the real one is for administrators. */
export function numbered(rows: readonly LogRow[], from = 0): readonly object[] {
  return rows.map((row, index) => ({ id: from + index + 1, ...row }));
}

export function selectedRows(rows: readonly LogRow[], asked: unknown): readonly LogRow[] {
  return selected(rows, query.parse(asked));
}

/** Both ends of the window are inside it. */
function selected(rows: readonly LogRow[], wanted: LogQuery): readonly LogRow[] {
  const { type, start_timestamp, end_timestamp, model_name, token_name, group, request_id } = wanted;
  return rows.filter(
    (row) =>
      (type === 0 || row.type === type) &&
      row.created_at >= start_timestamp &&
      (end_timestamp === 0 || row.created_at <= end_timestamp) &&
      holds(row.model_name, model_name) &&
      holds(row.token_name, token_name) &&
      (group === '' || row.group === group) &&
      (request_id === '' || row.request_id === request_id),
  );
}

/** By part and whatever the case. */
function holds(text: string, part: string): boolean {
  return text.toLowerCase().includes(part.toLowerCase());
}
