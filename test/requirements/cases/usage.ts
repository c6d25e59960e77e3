import assert from 'node:assert/strict';
import { parseAmount } from '../../../src/core/amount.ts';
import { type Json, type JsonObject, objectsIn } from '../json.ts';
import type { Reply } from '../reply.ts';
import type { RequirementCase } from '../requirement-case.ts';
import { type Customer, RECORDS, type Service, USAGE } from '../service.ts';

type TypeName = 'string' | 'integer' | 'boolean' | 'USD amount' | 'array';

const HOLDS: Readonly<Record<TypeName, (value: Json | undefined) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  boolean: (value) => typeof value === 'boolean',
  'USD amount': (value) => typeof value === 'string' && parseAmount(value) !== null,
  array: (value) => Array.isArray(value),
};

const RECORD_FIELDS = [
  ['usage_estimated', 'boolean'],
  ['id', 'string'],
  ['request_id', 'string'],
  ['created_at', 'integer'],
  ['model', 'string'],
  ['result', 'string'],
  ['billing_status', 'string'],
  ['amount', 'USD amount'],
  ['reserved_amount', 'USD amount'],
  ['refunded_amount', 'USD amount'],
  ['input_tokens', 'integer'],
  ['output_tokens', 'integer'],
  ['cache_read_tokens', 'integer'],
  ['cache_write_tokens', 'integer'],
  ['pricebook_id', 'string'],
  ['pricing_version', 'string'],
] as const;

const SUM_FIELDS = [
  ['settled_amount', 'USD amount'],
  ['pending_amount', 'USD amount'],
  ['refunded_amount', 'USD amount'],
  ['records', 'integer'],
  ['unknown_records', 'integer'],
] as const;

const PAGE_FIELDS = [
  ['data', 'array'],
  ['next_cursor', 'string'],
  ['has_more', 'boolean'],
  ['start_time', 'integer'],
  ['end_time', 'integer'],
] as const;

const DAY = 86_400;
/** Long before any record of a test, and far from the ends of the allowed times. */
const THEN = 1_700_000_000;

interface Sample {
  readonly customer: Customer;
  readonly requestId: string;
  readonly record: JsonObject;
  readonly page: Reply;
  readonly totals: Reply;
}

/** An account with one completed call and what usage says of it, made once. */
function sample(service: Service): Promise<Sample> {
  return service.once('usage sample', async () => {
    const customer = await service.customer();
    const { requestId } = await service.chat({}, customer.key);
    const page = await service.get(RECORDS, customer.key);
    const totals = await service.get(USAGE, customer.key);
    return { customer, requestId, record: objectsIn(page.at('data'))[0] ?? {}, page, totals };
  });
}

/** A key with three completed calls, and their request ids in order. */
async function threeCalls(service: Service): Promise<{ key: string; ids: string[] }> {
  const { key } = await service.customer();
  const ids: string[] = [];
  for (let call = 0; call < 3; call += 1) ids.push((await service.chat({}, key)).requestId);
  return { key, ids };
}

/** The request ids of the records that a query selects. */
async function selected(service: Service, key: string, query: string): Promise<string[]> {
  return (await service.records(key, query)).map((record) => String(record['request_id']));
}

/** Both usage reads refuse a query. */
function refused(name: string, id: RequirementCase['requires'][0], query: string): RequirementCase {
  return {
    name,
    requires: [id],
    run: async (service) => {
      for (const path of [USAGE, RECORDS]) {
        assert.equal((await service.get(`${path}?${query}`)).status, 400, path);
      }
    },
  };
}

/** Both usage reads take a query. */
function taken(name: string, id: RequirementCase['requires'][0], query: string): RequirementCase {
  return {
    name,
    requires: [id],
    run: async (service) => {
      for (const path of [USAGE, RECORDS]) {
        assert.equal((await service.get(`${path}?${query}`)).status, 200, path);
      }
    },
  };
}

export const USAGE_CASES: readonly RequirementCase[] = [
  ...RECORD_FIELDS.map(
    ([field, type]): RequirementCase => ({
      name: `${field} of a usage record is of type ${type}`,
      requires: [`records.${field}`],
      run: async (service) => assert.ok(HOLDS[type]((await sample(service)).record[field])),
    }),
  ),
  {
    name: 'a completed call is recorded as completed',
    requires: ['records.result_completed'],
    run: async (service) => assert.equal(String((await sample(service)).record['result']), 'completed'),
  },
  {
    name: 'a charged call is recorded as settled',
    requires: ['records.status_settled'],
    run: async (service) => {
      assert.equal(String((await sample(service)).record['billing_status']), 'settled');
    },
  },
  {
    name: 'a completed call is charged',
    requires: ['charging.completed_is_charged'],
    run: async (service) => assert.ok(Number((await sample(service)).record['amount']) > 0),
  },
  {
    name: 'the record of a call names its model',
    requires: ['charging.record_model'],
    run: async (service) => assert.equal(String((await sample(service)).record['model']), 'aspen-mini'),
  },
  {
    name: 'the record of a text call counts its tokens',
    requires: ['charging.record_tokens'],
    run: async (service) => {
      const { record } = await sample(service);
      assert.ok(Number(record['input_tokens']) > 0);
      assert.ok(Number(record['output_tokens']) > 0);
    },
  },
  {
    name: 'every call has a request id of its own',
    requires: ['charging.request_ids_differ'],
    run: async (service) => {
      const { key } = await threeCalls(service);
      assert.equal(new Set(await selected(service, key, '')).size, 3);
    },
  },
  {
    name: 'a refused call is not charged',
    requires: ['charging.refused_is_free'],
    run: async (service) => {
      const { key } = await service.customer();
      await service.chat({ messages: undefined }, key);
      await service.chat({ model: 'no-such-model' }, key);
      const amounts = (await service.records(key)).map((record) => Number(record['amount']));
      assert.ok(amounts.every((amount) => amount === 0));
    },
  },
  ...SUM_FIELDS.map(
    ([field, type]): RequirementCase => ({
      name: `${field} of the totals is of type ${type}`,
      requires: [`totals.${field}`],
      run: async (service) => assert.ok(HOLDS[type]((await sample(service)).totals.at(field))),
    }),
  ),
  ...(['start_time', 'end_time'] as const).map(
    (field): RequirementCase => ({
      name: `${field} of the totals is an integer`,
      requires: [`totals.${field}`],
      run: async (service) => assert.ok(Number.isInteger((await sample(service)).totals.at(field))),
    }),
  ),
  {
    name: 'the totals are in USD',
    requires: ['totals.currency'],
    run: async (service) => assert.equal((await sample(service)).totals.at('currency'), 'USD'),
  },
  ...(['by_model', 'daily'] as const).flatMap((group): RequirementCase[] => [
    {
      name: `${group} of the totals is an array`,
      requires: [`totals.${group}_array`],
      run: async (service) => assert.ok(Array.isArray((await sample(service)).totals.at(group))),
    },
    {
      name: `${group} of the totals carries the same five figures`,
      requires: [`totals.${group}_figures`],
      run: async (service) => {
        const items = objectsIn((await sample(service)).totals.at(group));
        assert.ok(items.length > 0);
        for (const item of items) {
          for (const [field, type] of SUM_FIELDS) assert.ok(HOLDS[type](item[field]), field);
        }
      },
    },
  ]),
  {
    name: 'by_model names the model of its figures',
    requires: ['totals.by_model_model'],
    run: async (service) => {
      const models = objectsIn((await sample(service)).totals.at('by_model')).map(({ model }) => model);
      assert.deepEqual(models, ['aspen-mini']);
    },
  },
  {
    name: 'by_model has figures of each model',
    requires: ['totals.by_model_splits'],
    run: async (service) => {
      const { key } = await service.customer();
      for (const model of ['aspen-mini', 'aspen-mini', 'aspen']) await service.chat({ model }, key);
      const counts = objectsIn((await service.get(USAGE, key)).at('by_model')).map(({ records }) =>
        String(records),
      );
      assert.deepEqual(counts.sort(), ['1', '2']);
    },
  },
  {
    name: 'daily names its days as dates',
    requires: ['totals.daily_date'],
    run: async (service) => {
      for (const { date } of objectsIn((await sample(service)).totals.at('daily'))) {
        assert.match(String(date), /^\d{4}-\d{2}-\d{2}$/);
      }
    },
  },
  {
    name: 'daily has the UTC day of a record',
    requires: ['totals.daily_utc'],
    run: async (service) => {
      const { record, totals } = await sample(service);
      const day = new Date(1000 * Number(record['created_at'])).toISOString().slice(0, 10);
      const [first] = objectsIn(totals.at('daily'));
      assert.equal(String(first?.['date']).replaceAll(/\D/g, ''), day.replaceAll('-', ''));
    },
  },
  {
    name: 'the totals count the records',
    requires: ['totals.records_counted'],
    run: async (service) => assert.equal(Number((await sample(service)).totals.at('records')), 1),
  },
  {
    name: 'the settled amount is what the records charge',
    requires: ['totals.settled_is_spend', 'charging.completed_is_charged'],
    run: async (service) => {
      const { record, totals } = await sample(service);
      assert.equal(
        parseAmount(String(totals.at('settled_amount'))),
        parseAmount(String(record['amount'])) ?? undefined,
      );
    },
  },
  {
    name: 'usage is that of one key',
    requires: ['usage.of_one_key'],
    run: async (service) => {
      const customer = await service.customer();
      const other = await service.keyOf(customer.userId);
      await service.chat({}, customer.key);
      assert.deepEqual(await selected(service, other, ''), []);
      assert.equal(Number((await service.get(USAGE, other)).at('records')), 0);
    },
  },
  ...[USAGE, RECORDS].map(
    (path): RequirementCase => ({
      name: `${path} is answered with 200`,
      requires: [path === USAGE ? 'usage.totals_200' : 'usage.requests_200'],
      run: async (service) => assert.equal((await service.get(path)).status, 200),
    }),
  ),
  {
    name: 'a page of records is in USD',
    requires: ['page.currency'],
    run: async (service) => assert.equal((await sample(service)).page.at('currency'), 'USD'),
  },
  ...PAGE_FIELDS.map(
    ([field, type]): RequirementCase => ({
      name: `${field} of a page is of type ${type}`,
      requires: [`page.${field}`],
      run: async (service) => assert.ok(HOLDS[type]((await sample(service)).page.at(field))),
    }),
  ),
  {
    name: 'limit is the size of a page',
    requires: ['page.limit'],
    run: async (service) => {
      const { key } = await threeCalls(service);
      assert.equal(objectsIn((await service.get(`${RECORDS}?limit=2`, key)).at('data')).length, 2);
    },
  },
  {
    name: 'has_more is true while records are left',
    requires: ['page.has_more_left'],
    run: async (service) => {
      const { key } = await threeCalls(service);
      assert.equal(String((await service.get(`${RECORDS}?limit=1`, key)).at('has_more')), 'true');
      assert.equal(String((await service.get(`${RECORDS}?limit=3`, key)).at('has_more')), 'false');
    },
  },
  {
    name: 'before goes on where the page before ended',
    requires: ['page.before'],
    run: async (service) => {
      const { key, ids } = await threeCalls(service);
      const first = await service.get(`${RECORDS}?limit=2`, key);
      const seen = objectsIn(first.at('data')).slice(0, 2);
      const cursor = encodeURIComponent(String(first.at('next_cursor')));
      const second = await service.get(`${RECORDS}?limit=2&before=${cursor}`, key);
      const both = [...seen, ...objectsIn(second.at('data'))].map((record) => String(record['request_id']));
      assert.deepEqual(both.sort(), [...ids].sort());
    },
  },
  {
    name: 'a page goes on with the same filters only',
    requires: ['page.same_filters'],
    run: async (service) => {
      const { key } = await threeCalls(service);
      const cursor = encodeURIComponent(
        String((await service.get(`${RECORDS}?limit=1`, key)).at('next_cursor')),
      );
      const query = `limit=1&model=aspen&before=${cursor}`;
      assert.equal((await service.get(`${RECORDS}?${query}`, key)).status, 400);
    },
  },
  {
    name: 'a page goes on in the same window only',
    requires: ['page.same_window'],
    run: async (service) => {
      const { key } = await threeCalls(service);
      const cursor = encodeURIComponent(
        String((await service.get(`${RECORDS}?limit=1`, key)).at('next_cursor')),
      );
      const query = `limit=1&start_time=${THEN}&end_time=${THEN + DAY}&before=${cursor}`;
      assert.equal((await service.get(`${RECORDS}?${query}`, key)).status, 400);
    },
  },
  {
    name: 'start_time is inside the window',
    requires: ['window.start_inclusive'],
    run: async (service) => {
      const { customer, requestId, record } = await sample(service);
      const at = Number(record['created_at']);
      const window = `start_time=${at}&end_time=${at + 2}`;
      assert.deepEqual(await selected(service, customer.key, `&${window}`), [requestId]);
      assert.equal(Number((await service.get(`${USAGE}?${window}`, customer.key)).at('records')), 1);
    },
  },
  {
    name: 'end_time is outside the window',
    requires: ['window.end_exclusive'],
    run: async (service) => {
      const { customer, record } = await sample(service);
      const at = Number(record['created_at']);
      const window = `start_time=${at - 2}&end_time=${at}`;
      assert.deepEqual(await selected(service, customer.key, `&${window}`), []);
      assert.equal(Number((await service.get(`${USAGE}?${window}`, customer.key)).at('records')), 0);
    },
  },
  {
    name: 'a window starts 30 days before its end unless told otherwise',
    requires: ['window.default_start'],
    run: async (service) => {
      for (const path of [USAGE, RECORDS]) {
        const reply = await service.get(`${path}?end_time=${THEN}`);
        assert.equal(Number(reply.at('start_time')), THEN - 30 * DAY, path);
      }
    },
  },
  {
    name: 'a window ends now unless told otherwise',
    requires: ['window.default_end'],
    run: async (service) => {
      for (const path of [USAGE, RECORDS]) {
        const away = Number((await service.get(path)).at('end_time')) - Date.now() / 1000;
        assert.ok(Math.abs(away) < 600, path);
      }
    },
  },
  taken('a window of 31 days is served', 'window.31_days', `start_time=${THEN}&end_time=${THEN + 31 * DAY}`),
  refused(
    'a window of more than 31 days is refused',
    'window.above_31_days',
    `start_time=${THEN}&end_time=${THEN + 31 * DAY + 1}`,
  ),
  refused('a start_time of 0 is refused', 'window.start_minimum', `start_time=0&end_time=${DAY}`),
  taken('a start_time of 1 is served', 'window.start_one', `start_time=1&end_time=${DAY}`),
  refused('an end_time of 0 is refused', 'window.end_minimum', 'end_time=0'),
  refused(
    'a start_time that is no integer is refused',
    'window.start_integer',
    `start_time=x&end_time=${DAY}`,
  ),
  refused(
    'an end_time that is no integer is refused',
    'window.end_integer',
    `start_time=${THEN}&end_time=${THEN}.5`,
  ),
  taken('times are as large as int64', 'window.int64', 'end_time=9223372036854775807'),
  refused('times beyond int64 are refused', 'window.above_int64', 'end_time=9223372036854775808'),
  {
    name: 'model selects the records of exactly that id',
    requires: ['filters.model_exact'],
    run: async (service) => {
      const { key } = await service.customer();
      const wanted = (await service.chat({ model: 'aspen' }, key)).requestId;
      await service.chat({ model: 'aspen-mini' }, key);
      assert.deepEqual(await selected(service, key, '&model=aspen'), [wanted]);
      assert.equal(Number((await service.get(`${USAGE}?model=aspen`, key)).at('records')), 1);
    },
  },
  taken('a model filter has up to 191 characters', 'filters.model_191', `model=${'m'.repeat(191)}`),
  refused('a model filter has no more than 191 characters', 'filters.model_192', `model=${'m'.repeat(192)}`),
  {
    name: 'request_id selects the record of that call',
    requires: ['filters.request_id'],
    run: async (service) => {
      const { key, ids } = await threeCalls(service);
      const wanted = ids[1] ?? '';
      assert.deepEqual(await selected(service, key, `&request_id=${wanted}`), [wanted]);
      assert.equal(Number((await service.get(`${USAGE}?request_id=${wanted}`, key)).at('records')), 1);
    },
  },
  {
    name: 'request_id selects what a funding receipt has paid',
    requires: ['filters.funding_receipt'],
    run: async (service) => {
      const { key, userId } = await service.customer({ balance_usd: '0' });
      const funding = { amount_usd: '5', receipt: 'rcpt_0001' };
      await service.control('POST', `/accounts/${userId}/credit`, funding);
      const { requestId } = await service.chat({}, key);
      assert.deepEqual(await selected(service, key, '&request_id=rcpt_0001'), [requestId]);
      assert.deepEqual(await selected(service, key, '&request_id=rcpt_0002'), []);
      const totals = await service.get(`${USAGE}?request_id=rcpt_0001`, key);
      assert.equal(Number(totals.at('records')), 1);
    },
  },
  taken(
    'a request_id filter has up to 64 characters',
    'filters.request_id_64',
    `request_id=${'r'.repeat(64)}`,
  ),
  refused(
    'a request_id filter has no more than 64 characters',
    'filters.request_id_65',
    `request_id=${'r'.repeat(65)}`,
  ),
];
