import type { FastifyInstance, FastifyReply } from 'fastify';
import type { UsageSums, UsageTotals } from '../../contracts/interface.ts';
import { SECONDS_PER_DAY, utcDay } from '../../core/time.ts';
import type { ModelDaySums, RecordSelection, RecordStore } from '../charging/record-store.ts';
import { RecordSums } from '../charging/record-sums.ts';
import type { ChargeRecord } from '../events/charge-record.ts';
import { type QueriedWindow, readPageQuery, readUsageQuery } from '../formats/usage-query.ts';
import type { Gateway } from '../parts/gateway.ts';
import type { Readings } from '../readings/readings.ts';
import { requestFaults } from '../requests/request-faults-of.ts';
import { requestKey } from '../requests/request-key.ts';
import { requireKey } from '../requests/require-key.ts';
import { unixSeconds } from '../time/clock.ts';
import { bookedId, keepsOtherRecords } from './kept-records.ts';
import { seenRecords } from './seen-records.ts';
import { amountText } from './served-record.ts';
import { summedRecord, sumsOtherwise } from './summed-record.ts';
import { lastCursor, usagePage } from './usage-page.ts';
import { mayBeWrong, OWN_WAYS, type UsageWays } from './usage-ways.ts';

export function usageRoutes(app: FastifyInstance, gateway: Gateway): void {
  const { clock, records, readings, forms, endings } = gateway;
  const onRequest = requireKey(gateway);
  /** The end of the current second, so that a default window holds what has just happened. */
  const now = (): number => unixSeconds(clock.wallMs()) + 1;

  app.get('/v1/usage', { onRequest }, async (request, reply) => {
    const selection = readUsageQuery(request.query, now());
    const ways = { readings, forms, endings, faults: requestFaults(request) };
    tellExactly(reply, selection.window);
    return usageTotals(records, requestKey(request).fingerprint, selection, ways);
  });

  app.get('/v1/usage/requests', { onRequest }, async (request, reply) => {
    const query = readPageQuery(request.query, readings);
    const ways = { readings, forms, endings, faults: requestFaults(request) };
    const { window, ...page } = usagePage(records, requestKey(request).fingerprint, query, now(), ways);
    tellExactly(reply, window);
    return { ...page, ...lastCursor(page, readings) };
  });
}

/** Has an answer tell the asked window digit by digit where a JSON number of this runtime would round it. */
function tellExactly(reply: FastifyReply, window: QueriedWindow): void {
  if (window.end <= Number.MAX_SAFE_INTEGER) return;
  reply.type('application/json; charset=utf-8').serializer((body: object) => exactJson(body, window));
}

/** The body as JSON with `start_time` and `end_time` of this window, where it has them. */
export function exactJson(body: object, { start, end }: QueriedWindow): string {
  const fields = Object.entries(body).map(([name, value]) => {
    if (typeof value === 'number' && name === 'start_time') return `"start_time":${start}`;
    if (typeof value === 'number' && name === 'end_time') return `"end_time":${end}`;
    const text = JSON.stringify(value);
    return text === undefined ? [] : `${JSON.stringify(name)}:${text}`;
  });
  return `{${fields.flat().join(',')}}`;
}

/** Totals of the selected records: always their sum, never priced anew. */
export function usageTotals(
  records: RecordStore,
  keyFingerprint: string,
  selection: RecordSelection,
  ways: UsageWays = OWN_WAYS,
): UsageTotals {
  const counted = sumsOtherwise(ways.readings) || keepsOtherRecords(ways.readings) || mayBeWrong(ways);
  if (!counted) return totalsOf(records.sums(keyFingerprint, selection), selection, ways);
  const seen = seenRecords(records, keyFingerprint, selection, { ways, later: false });
  const right = totalsOf(seen.map(sumsOfOne(ways)), selection, ways);
  const daily = (ahead_s: number): UsageTotals['daily'] => {
    const shifted = seen.map((record) => ({ ...record, createdAt: record.createdAt + ahead_s }));
    return totalsOf(shifted.map(sumsOfOne(ways)), selection, ways).daily;
  };
  return ways.faults.through(right, (hooks, totals) => hooks.totals?.(totals, { records: seen, daily }));
}

function sumsOfOne({ readings, endings }: UsageWays): (record: ChargeRecord) => ModelDaySums {
  return (record) => ({
    model: record.model,
    day: Math.floor((endings.get(bookedId(record.id)) ?? record.createdAt) / SECONDS_PER_DAY),
    sums: summedRecord(record, readings),
  });
}

function totalsOf(
  parts: Iterable<ModelDaySums>,
  selection: RecordSelection,
  { readings }: UsageWays,
): UsageTotals {
  const total = new RecordSums();
  const byModel = new Map<string, RecordSums>();
  const byDay = new Map<number, RecordSums>();
  for (const { model, day, sums } of parts) {
    for (const group of [total, sumsOf(byModel, model), sumsOf(byDay, day)]) group.addSums(sums);
  }
  return {
    ...served(total, readings),
    currency: 'USD',
    start_time: selection.start,
    end_time: selection.end,
    by_model: sorted(byModel).map(([model, sums]) => ({ model, ...served(sums, readings) })),
    daily: sorted(byDay).map(([day, sums]) => ({
      date: utcDay(day * SECONDS_PER_DAY),
      ...served(sums, readings),
    })),
  };
}

function sumsOf<N>(groups: Map<N, RecordSums>, name: N): RecordSums {
  const held = groups.get(name);
  if (held !== undefined) return held;
  const made = new RecordSums();
  groups.set(name, made);
  return made;
}

function sorted<N extends string | number>(groups: ReadonlyMap<N, RecordSums>): [N, RecordSums][] {
  return [...groups].sort(([left], [right]) => (left < right ? -1 : 1));
}

function served(sums: RecordSums, readings: Readings): UsageSums {
  return {
    settled_amount: amountText(sums.settled, readings),
    pending_amount: amountText(sums.pending, readings),
    refunded_amount: amountText(sums.refunded, readings),
    records: sums.records,
    unknown_records: sums.unknown,
  };
}
