import { z } from 'zod';
import { AMOUNT_SCALE, behindNoise } from '../../core/amount.ts';
import { formatTrimmed, parseNumberText } from '../../core/decimal.ts';
import { parseInstant, SECONDS_PER_DAY, utcDay } from '../../core/time.ts';
import { asInteger, asObject, parseObject } from '../../wire/json-fields.ts';
import { parseLosslessJson } from '../lossless-json.ts';
import type { ReadOk, ReadResult } from '../read-result.ts';
import type { UsagePageFrame } from '../wire-schemas.ts';
import { type BillReader, type FreeReads, notOffered, translated, type UsageQuery } from './bill-reader.ts';

const text = z.string().nullish();
const rowSchema = z.looseObject({
  request_id: z.string(),
  /** A double; as text where a number would have lost digits. */
  spend: z.union([z.number(), z.string()]),
  prompt_tokens: z.int().nullish(),
  completion_tokens: z.int().nullish(),
  startTime: z.string(),
  model: z.string(),
  model_group: text,
  api_key: text,
  status: text,
  cache_hit: z.union([z.string(), z.boolean()]).nullish(),
  metadata: z.union([z.string(), z.record(z.string(), z.unknown())]).nullish(),
});
type SpendRow = z.infer<typeof rowSchema>;
const rowsSchema = z.array(rowSchema);

/**
 * LiteLLM's proxy. `GET /spend/logs` serves whole days; the window is cut here. A key sees its own rows, a master key all:
 * then those of other keys are left out by their hash. There are no totals.
 */
export function litellmReader(): BillReader {
  let last: { readonly window: string; readonly answer: ReadOk<unknown>; readonly records: number } | null =
    null;
  return {
    name: 'litellm',
    paths: { book: 'GET /model/info', records: 'GET /spend/logs', account: 'GET /key/info' },
    totals: 'counts',
    async priceBook(reads) {
      const url = `${reads.bases.root}/model/info`;
      const open = await reads.text(url, 'none');
      const served = open.status === 401 && reads.keyHash !== null ? await reads.text(url, 'key') : open;
      return served.ok ? asPriceMap(served) : served;
    },
    async usageTotals(_reads, query) {
      if (last?.window !== nameOf(query)) return notOffered('LiteLLM serves no totals of a window');
      return translated(last.answer, { records: last.records });
    },
    async usageRequests(reads, query) {
      const read = await readRows(reads, query);
      if (!read.ok) return read;
      const frame = frameOf(query, read.body.filter(asked(query, reads.keyHash)));
      last = { window: nameOf(query), answer: read, records: frame.data.length };
      return translated(read, frame);
    },
    account: async () => notOffered('LiteLLM tells spend by key and no account'),
  };
}

const BY_UNIT = /_cost_per_(?:image|pixel|second|video_per_second)$/;

/** What tells a deployment and not its price. */
const OF_DEPLOYMENT = new Set(['id', 'db_model', 'key']);

/** The list of deployments as the map of prices that LiteLLM publishes. Of two with other prices neither is the price. */
function asPriceMap(served: ReadOk<string>): ReadOk<string> {
  const list = parseLosslessObject(served.body)?.['data'];
  if (!Array.isArray(list)) return served;
  const prices = new Map<string, { readonly text: string; readonly told: unknown } | null>();
  for (const each of list) {
    const deployment = asObject(each);
    const name = deployment?.['model_name'];
    const info = asObject(deployment?.['model_info']);
    if (typeof name !== 'string' || info === null) continue;
    const own = pricesOf(info);
    prices.set(name, !prices.has(name) || prices.get(name)?.text === own.text ? own : null);
  }
  const map = [...prices].flatMap(([name, own]) => (own === null ? [] : [[name, own.told]]));
  const answer = translated(served, Object.fromEntries(map));
  return { ...answer, body: Buffer.from(answer.bytes).toString('utf8') };
}

/** What tells a price. Where images or seconds have one, a token cost of 0 only fills the form. */
function pricesOf(info: Readonly<Record<string, unknown>>): {
  readonly text: string;
  readonly told: unknown;
} {
  const isByUnit = Object.entries(info).some(([key, value]) => BY_UNIT.test(key) && value !== null);
  const told = Object.entries(info).filter(
    ([key, value]) =>
      value !== null &&
      !OF_DEPLOYMENT.has(key) &&
      !(isByUnit && value === 0 && key.endsWith('_cost_per_token')),
  );
  return { text: JSON.stringify(told), told: Object.fromEntries(told) };
}

function parseLosslessObject(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return asObject(parseLosslessJson(text).value);
  } catch {
    return null;
  }
}

function nameOf({ window, model, requestId }: UsageQuery): string {
  return JSON.stringify([window.start, window.end, model ?? null, requestId ?? null]);
}

/** Whole days: the filter by request knows the id of the row alone, and many clients have only that of the call. */
function readRows(reads: FreeReads, { window }: UsageQuery): Promise<ReadResult<readonly SpendRow[]>> {
  const parameters = new URLSearchParams({
    start_date: utcDay(window.start),
    // The day itself is not inside.
    end_date: utcDay(window.end + SECONDS_PER_DAY),
    summarize: 'false',
  });
  return reads.json(`${reads.bases.root}/spend/logs?${parameters}`, 'key', rowsSchema);
}

function asked({ window, model, requestId }: UsageQuery, keyHash: string | null): (row: SpendRow) => boolean {
  return (row) => {
    const at = secondOf(row);
    const isOurs =
      keyHash === null || (row.api_key ?? '') === '' || !isHash(row.api_key ?? '') || row.api_key === keyHash;
    return (
      isOurs &&
      (at === null || (at >= window.start && at < window.end)) &&
      (model === undefined || nameOfModel(row) === model) &&
      (requestId === undefined || requestIdOf(row) === requestId)
    );
  };
}

function isHash(key: string): boolean {
  return /^[0-9a-f]{64}$/.test(key);
}

function secondOf({ startTime }: SpendRow): number | null {
  const instant = parseInstant(
    /(?:Z|[+-]\d\d:\d\d)$/.test(startTime) ? startTime : `${startTime.replace(' ', 'T')}Z`,
  );
  return instant === null ? null : Math.floor(instant / 1_000);
}

function nameOfModel({ model, model_group }: SpendRow): string {
  return model_group || model;
}

function frameOf({ window }: UsageQuery, rows: readonly SpendRow[]): UsagePageFrame {
  const times = { start_time: window.start, end_time: window.end };
  return { data: rows.map(recordOf), next_cursor: null, has_more: false, ...times, currency: 'USD' };
}

function metadataOf({ metadata }: SpendRow): Readonly<Record<string, unknown>> | null {
  return typeof metadata === 'string' ? parseObject(metadata) : asObject(metadata);
}

/** Clients of messages and responses never see the id of the row; every answer has that of the call. */
function requestIdOf(row: SpendRow): string {
  const callId = metadataOf(row)?.['litellm_call_id'];
  return typeof callId === 'string' ? callId : row.request_id;
}

/** The amount that a double stands for, which binary floating point prints with a few more digits. */
function amountText(spend: string): string {
  const meant = behindNoise(spend);
  const exact = parseNumberText(spend);
  if (meant !== null) return formatTrimmed({ digits: meant, scale: AMOUNT_SCALE });
  return exact === null ? spend : formatTrimmed(exact);
}

function recordOf(row: SpendRow) {
  const told = metadataOf(row);
  const usage = asObject(told?.['additional_usage_values']) ?? {};
  const details = asObject(asObject(told?.['usage_object'])?.['prompt_tokens_details']) ?? {};
  const amount = amountText(String(row.spend));
  const isFailed = (row.status ?? told?.['status']) === 'failure';
  return {
    usage_estimated: false,
    id: row.request_id,
    request_id: requestIdOf(row),
    created_at: secondOf(row),
    model: nameOfModel(row),
    result: isFailed ? 'failed' : 'completed',
    billing_status: 'settled',
    amount,
    // What was held stands nowhere.
    reserved_amount: amount,
    refunded_amount: '0',
    input_tokens: row.prompt_tokens ?? 0,
    output_tokens: row.completion_tokens ?? 0,
    cache_read_tokens: asInteger(usage['cache_read_input_tokens'] ?? details['cached_tokens']) ?? 0,
    cache_write_tokens:
      asInteger(usage['cache_creation_input_tokens'] ?? details['cache_creation_tokens']) ?? 0,
    pricebook_id: 'litellm',
    pricing_version: 'not told',
  };
}
