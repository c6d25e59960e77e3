import * as z from 'zod';
import { keyFingerprint } from '../../account/account-registry.ts';
import { ApiError } from '../../http/api-error.ts';
import type { SpendRow } from './spend-rows.ts';

const LARGEST_PAGE = 1000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

const asked = z.looseObject({
  api_key: z.string().optional(),
  user_id: z.string().optional(),
  request_id: z.string().optional(),
  start_date: z.string().optional(),
  end_date: z.string().optional(),
  summarize: z.string().optional(),
});
type Asked = z.infer<typeof asked>;

/**
 * The rows of `GET /spend/logs`. Dates are days in UTC, and the last one ends where it begins: a row counts that stands at
 * its midnight, and none later. With both dates the answer is sums by day, unless `summarize=false`.
 */
export function windowedRows(
  rows: readonly SpendRow[],
  query: unknown,
): { readonly rows: readonly SpendRow[]; readonly summarised: { readonly end: string } | null } {
  const wanted = asked.parse(query);
  const { start_date, end_date, summarize = 'true' } = wanted;
  const selected = rows.filter(filterOf(wanted));
  if (start_date === undefined || end_date === undefined) return { rows: selected, summarised: null };
  if (!DAY.test(start_date) || !DAY.test(end_date))
    throw new ApiError({
      status: 500,
      code: 'internal_error',
      message: '/spend/logs: expected dates as YYYY-MM-DD',
    });
  const found = within(selected, `${start_date}T00:00:00.000Z`, `${end_date}T00:00:00.000Z`);
  return { rows: found, summarised: summarize === 'false' || summarize === '0' ? null : { end: end_date } };
}

/** By its text or its hash; an id of an answer or of a call. */
function filterOf({ api_key, user_id, request_id }: Asked): (row: SpendRow) => boolean {
  return (row) =>
    (api_key === undefined ||
      (api_key.startsWith('sk-')
        ? row.api_key.startsWith(keyFingerprint(api_key))
        : row.api_key === api_key)) &&
    (user_id === undefined || row.user === user_id) &&
    (request_id === undefined || row.request_id === request_id || row['litellm_call_id'] === request_id);
}

function within(rows: readonly SpendRow[], start: string, end: string): readonly SpendRow[] {
  return rows.filter(({ startTime }) => startTime >= start && startTime <= end);
}

/** Sums by day, oldest first, and days without a row after the last. */
export function spendSummary(
  rows: readonly SpendRow[],
  { end }: { readonly end: string },
): readonly object[] {
  const days = Map.groupBy([...rows].reverse(), ({ startTime }) => startTime.slice(0, 10));
  const sums = [...days].map(([day, ofDay]) => ({
    ...sumBy(ofDay, ({ api_key }) => api_key),
    startTime: day,
    spend: ofDay.reduce((sum, { spend }) => sum + spend, 0),
    users: sumBy(ofDay, ({ user }) => user),
    models: sumBy(ofDay, ({ model }) => model),
  }));
  const last = [...days.keys()].at(-1);
  return last === undefined ? [] : [...sums, ...emptyDays(last, end)];
}

function sumBy(rows: readonly SpendRow[], nameOf: (row: SpendRow) => string): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const row of rows) sums[nameOf(row)] = (sums[nameOf(row)] ?? 0) + row.spend;
  return sums;
}

function emptyDays(last: string, end: string): readonly object[] {
  const days: object[] = [];
  const next = new Date(`${last}T00:00:00Z`);
  while (next.toISOString().slice(0, 10) < end) {
    next.setUTCDate(next.getUTCDate() + 1);
    days.push({ startTime: next.toISOString().slice(0, 10), spend: 0, users: {}, models: {} });
  }
  return days;
}

const paged = z.looseObject({
  page: z.coerce.number().int().min(1).default(1),
  page_size: z.coerce.number().int().min(1).max(LARGEST_PAGE).default(50),
  status_filter: z.string().optional(),
  model: z.string().optional(),
});

/** `GET /spend/logs/v2`: both dates are needed, with or without a time, and both ends are inside. */
export function spendPage(rows: readonly SpendRow[], query: unknown): object {
  const wanted = asked.parse(query);
  const read = paged.safeParse(query);
  if (!read.success)
    throw new ApiError({ status: 422, message: 'page and page_size must be whole numbers in range' });
  const { page, page_size, status_filter, model } = read.data;
  const { start_date, end_date } = wanted;
  if (start_date === undefined || end_date === undefined)
    throw new ApiError({ status: 400, message: 'start_date and end_date are both needed' });
  const found = within(rows.filter(filterOf(wanted)), momentOf(start_date), momentOf(end_date)).filter(
    (row) =>
      (status_filter === undefined || row.status === status_filter) &&
      (model === undefined || row.model === model),
  );
  const from = (page - 1) * page_size;
  return {
    data: found.slice(from, from + page_size),
    total: found.length,
    page,
    page_size,
    total_pages: Math.ceil(found.length / page_size),
  };
}

function momentOf(text: string): string {
  if (DAY.test(text)) return `${text}T00:00:00.000Z`;
  if (MOMENT.test(text)) return `${text.replace(' ', 'T')}.000Z`;
  throw new ApiError({ status: 400, message: `expected YYYY-MM-DD or YYYY-MM-DD HH:MM:SS, found ${text}` });
}
