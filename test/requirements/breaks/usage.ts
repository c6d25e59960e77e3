import { type JsonObject, objectsIn } from '../json.ts';
import { RECORDS, USAGE } from '../service.ts';
import {
  type Asked,
  accepting,
  askedOf,
  asking,
  changing,
  jsonAnswer,
  jsonOf,
  listInstead,
  refusing,
  type ServiceBreak,
  statusInstead,
  type Where,
  wrap,
} from '../service-break.ts';

const BOTH: Where = { method: 'GET', path: [USAGE, RECORDS] };
const PAGE: Where = { method: 'GET', path: RECORDS, status: 200 };
const TOTALS: Where = { method: 'GET', path: USAGE, status: 200 };

const RECORD_FIELDS = [
  'usage_estimated',
  'id',
  'request_id',
  'created_at',
  'model',
  'result',
  'billing_status',
  'amount',
  'reserved_amount',
  'refunded_amount',
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'pricebook_id',
  'pricing_version',
] as const;

const SUM_FIELDS = [
  'settled_amount',
  'pending_amount',
  'refunded_amount',
  'records',
  'unknown_records',
] as const;
const TIME_FIELDS = ['start_time', 'end_time'] as const;

/** Changes the records of a page. */
function records(instead: string, change: (record: JsonObject) => void): ServiceBreak {
  return changing(instead, PAGE, (body) => {
    for (const record of objectsIn(body['data'])) change(record);
  });
}

/** Changes the parts of totals. */
function parts(
  instead: string,
  group: 'by_model' | 'daily',
  change: (part: JsonObject) => void,
): ServiceBreak {
  return changing(instead, TOTALS, (body) => {
    for (const part of objectsIn(body[group])) change(part);
  });
}

function asksFor(holds: (query: Asked['query']) => boolean): Where {
  return { ...BOTH, asks: ({ query }) => holds(query) };
}

/** Serves what should be refused. */
function takes(instead: string, holds: (query: Asked['query']) => boolean): ServiceBreak {
  return accepting(instead, { ...asksFor(holds), status: 400 });
}

/** Refuses what should be served. */
function refuses(instead: string, holds: (query: Asked['query']) => boolean): ServiceBreak {
  return refusing(instead, asksFor(holds));
}

/** Asks the gateway with other parameters; null leaves one out. */
function withParameters(
  instead: string,
  where: Where,
  change: (query: Asked['query']) => Readonly<Record<string, string | null>>,
): ServiceBreak {
  return asking(instead, where, (request, { query }) => {
    for (const [name, value] of Object.entries(change(query))) {
      if (value === null) query.delete(name);
      else query.set(name, value);
    }
    return { ...request, search: `?${query.toString()}` };
  });
}

/** Moves a time of windows of a few seconds, which hold a known record or just do not. */
function movedTime(instead: string, name: 'start_time' | 'end_time'): ServiceBreak {
  const isShort = (query: Asked['query']): boolean =>
    Number(query.get('end_time')) - Number(query.get('start_time')) === 2;
  return withParameters(instead, asksFor(isShort), (query) => ({
    [name]: String(Number(query.get(name)) + 1),
  }));
}

function perField<P extends string, F extends string>(
  prefix: P,
  fields: readonly F[],
  make: (field: F) => ServiceBreak,
): Readonly<Record<`${P}.${F}`, ServiceBreak>>;
function perField(
  prefix: string,
  fields: readonly string[],
  make: (field: string) => ServiceBreak,
): Readonly<Record<string, ServiceBreak>> {
  return Object.fromEntries(fields.map((field) => [`${prefix}.${field}`, make(field)]));
}

const is = (name: string, value: string) => (query: Asked['query']) => query.get(name) === value;
const hasLength = (name: string, length: number) => (query: Asked['query']) =>
  query.get(name)?.length === length;
const window = (query: Asked['query']): number =>
  Number(query.get('end_time')) - Number(query.get('start_time'));

export const USAGE_BREAKS = {
  ...perField('records', RECORD_FIELDS, (field) =>
    records(`gives ${field} as a list`, (record) => wrap(record, field)),
  ),
  'records.result_completed': records('says done', (record) => {
    record['result'] = 'done';
  }),
  'records.status_settled': records('says paid', (record) => {
    if (record['result'] === 'completed') record['billing_status'] = 'paid';
  }),
  'charging.completed_is_charged': records('gives completed calls for nothing', (record) => {
    if (record['result'] === 'completed') record['amount'] = '0';
  }),
  'charging.record_model': records('names another model', (record) => {
    record['model'] = `${String(record['model'])}-latest`;
  }),
  'charging.record_tokens': records('counts no tokens', (record) => {
    record['input_tokens'] = 0;
    record['output_tokens'] = 0;
  }),
  'charging.request_ids_differ': {
    instead: 'records calls in one second under one id',
    start: () => async (request, forward) => {
      const answer = await forward(request);
      if (request.path !== RECORDS || request.search !== '?limit=200') return answer;
      const body = await jsonOf(answer);
      const all = objectsIn(body['data']);
      for (const record of all.slice(1)) record['request_id'] = all[0]?.['request_id'] ?? '';
      return jsonAnswer(answer.status, body);
    },
  },
  'charging.refused_is_free': {
    instead: 'charges refused calls',
    start: () => {
      const refused = new Set<string>();
      return async (request, forward) => {
        const answer = await forward(request);
        const { credential, path } = askedOf(request);
        if (path.startsWith('/v1/chat') && [400, 404].includes(answer.status)) refused.add(credential);
        if (path !== RECORDS || !refused.has(credential) || answer.status !== 200) return answer;
        const body = await jsonOf(answer);
        body['data'] = [...objectsIn(body['data']), { request_id: 'refused', amount: '0.01' }];
        return jsonAnswer(200, body);
      };
    },
  },
  ...perField('totals', [...SUM_FIELDS, ...TIME_FIELDS], (field) =>
    listInstead(`gives ${field} as a list`, TOTALS, field),
  ),
  'totals.currency': changing('is in EUR', TOTALS, (body) => {
    body['currency'] = 'EUR';
  }),
  'totals.by_model_array': changing('gives by_model by number', TOTALS, (body) => {
    body['by_model'] = { ...objectsIn(body['by_model']) };
  }),
  'totals.daily_array': changing('gives daily by number', TOTALS, (body) => {
    body['daily'] = { ...objectsIn(body['daily']) };
  }),
  'totals.by_model_figures': parts('leaves a figure out', 'by_model', (part) => {
    delete part['unknown_records'];
  }),
  'totals.daily_figures': parts('leaves a figure out', 'daily', (part) => {
    delete part['pending_amount'];
  }),
  'totals.by_model_model': parts('names another model', 'by_model', (part) => {
    part['model'] = `${String(part['model'])}-latest`;
  }),
  'totals.by_model_splits': changing('puts all models in one', TOTALS, (body) => {
    body['by_model'] = objectsIn(body['by_model']).slice(0, 1);
  }),
  'totals.daily_date': parts('writes dates without dashes', 'daily', (part) => {
    part['date'] = String(part['date']).replaceAll('-', '');
  }),
  'totals.daily_utc': parts('is a day ahead', 'daily', (part) => {
    const tomorrow = new Date(Date.parse(String(part['date'])) + 86_400_000);
    part['date'] = tomorrow.toISOString().slice(0, 10);
  }),
  'totals.records_counted': changing(
    'counts twice',
    { ...TOTALS, asks: ({ query }) => query.size === 0 },
    (body) => {
      body['records'] = 2 * Number(body['records']);
    },
  ),
  'totals.settled_is_spend': changing('sums otherwise', TOTALS, (body) => {
    body['settled_amount'] = '1000';
  }),
  'usage.of_one_key': {
    instead: 'shows the usage of the first key of the account',
    start: () => {
      const firstKeys = new Map<string, string>();
      const users = new Map<string, string>();
      return async (request, forward) => {
        const { credential, json, path } = askedOf(request);
        if (request.control && path === '/keys') {
          const answer = await forward(request);
          const body = await jsonOf(answer);
          const user = String(json['user_id']);
          if (!firstKeys.has(user)) firstKeys.set(user, String(body['api_key']));
          users.set(String(body['api_key']), user);
          return jsonAnswer(answer.status, body);
        }
        const first = firstKeys.get(users.get(credential) ?? '');
        if (!path.startsWith(USAGE) || first === undefined) return forward(request);
        return forward({ ...request, headers: { ...request.headers, authorization: `Bearer ${first}` } });
      };
    },
  },
  'usage.totals_200': statusInstead('answers 203', { ...TOTALS, asks: ({ query }) => query.size === 0 }, 203),
  'usage.requests_200': statusInstead('answers 203', { ...PAGE, asks: ({ query }) => query.size === 0 }, 203),
  'page.currency': changing('is in EUR', PAGE, (body) => {
    body['currency'] = 'EUR';
  }),
  'page.data': changing('gives the records by number', PAGE, (body) => {
    body['data'] = { ...objectsIn(body['data']) };
  }),
  ...perField('page', ['next_cursor', 'has_more', 'start_time', 'end_time'], (field) =>
    listInstead(`gives ${field} as a list`, PAGE, field),
  ),
  'page.limit': {
    instead: 'gives one record more than asked for',
    start: () => async (request, forward) => {
      const answer = await forward(request);
      if (request.path !== RECORDS || request.search !== '?limit=2') return answer;
      const body = await jsonOf(answer);
      body['data'] = [...objectsIn(body['data']), {}];
      return jsonAnswer(answer.status, body);
    },
  },
  'page.has_more_left': changing('never has more', PAGE, (body) => {
    body['has_more'] = false;
  }),
  'page.before': withParameters(
    'begins anew',
    { ...PAGE, asks: ({ query }) => query.get('limit') === '2' },
    () => ({ before: null }),
  ),
  'page.same_filters': accepting('goes on with other filters', {
    path: RECORDS,
    status: 400,
    asks: ({ query }) => query.has('before') && query.has('model'),
  }),
  'page.same_window': accepting('goes on in another window', {
    path: RECORDS,
    status: 400,
    asks: ({ query }) => query.has('before') && query.has('start_time'),
  }),
  'window.start_inclusive': movedTime('leaves the first second out', 'start_time'),
  'window.end_exclusive': movedTime('takes the last second in', 'end_time'),
  'window.default_start': changing(
    'looks 31 days back',
    { ...BOTH, status: 200 },
    (body, _head, { query }) => {
      if (!query.has('start_time')) body['start_time'] = Number(body['end_time']) - 31 * 86_400;
    },
  ),
  'window.default_end': changing('ends an hour ago', { ...BOTH, status: 200 }, (body, _head, { query }) => {
    if (!query.has('end_time')) body['end_time'] = Number(body['end_time']) - 3600;
  }),
  'window.31_days': refuses('serves 30 days at most', (query) => window(query) === 31 * 86_400),
  'window.above_31_days': takes(
    'serves any window',
    (query) => query.has('start_time') && window(query) > 31 * 86_400,
  ),
  'window.start_minimum': takes('takes 0 as start', is('start_time', '0')),
  'window.start_one': refuses('takes no second of 1970', is('start_time', '1')),
  'window.end_minimum': takes('takes 0 as end', is('end_time', '0')),
  'window.start_integer': takes('reads any start', is('start_time', 'x')),
  'window.end_integer': takes('reads any end', (query) => (query.get('end_time') ?? '').includes('.')),
  'window.int64': refuses('stops at 2^53', is('end_time', '9223372036854775807')),
  'window.above_int64': takes('goes on for ever', is('end_time', '9223372036854775808')),
  'filters.model_exact': withParameters(
    'takes a model filter as the start of an id',
    asksFor((query) => (query.get('model') ?? '').startsWith('aspen') && !query.has('before')),
    () => ({ model: null }),
  ),
  'filters.model_191': refuses('takes 190 characters', hasLength('model', 191)),
  'filters.model_192': takes('takes 192 characters', hasLength('model', 192)),
  'filters.request_id': withParameters(
    'selects by no request id',
    asksFor((query) => /^\d/.test(query.get('request_id') ?? '')),
    () => ({ request_id: null }),
  ),
  'filters.funding_receipt': withParameters(
    'knows no receipts',
    asksFor((query) => (query.get('request_id') ?? '').startsWith('rcpt_')),
    () => ({ request_id: 'unknown' }),
  ),
  'filters.request_id_64': refuses('takes 63 characters', hasLength('request_id', 64)),
  'filters.request_id_65': takes('takes 65 characters', hasLength('request_id', 65)),
} as const satisfies Readonly<Record<string, ServiceBreak>>;
