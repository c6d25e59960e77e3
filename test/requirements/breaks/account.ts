import { isObject } from '../json.ts';
import { SELF } from '../service.ts';
import { changing, type ServiceBreak, statusInstead, type Where } from '../service-break.ts';

const READ: Where = { path: SELF, status: 200 };

/** Gives a field of the account record another value. */
function field(instead: string, name: string, change: (value: number) => number): ServiceBreak {
  return changing(instead, READ, ({ data }) => {
    if (isObject(data)) data[name] = change(Number(data[name]));
  });
}

export const ACCOUNT_BREAKS = {
  'account.read_200': statusInstead('answers 203', READ, 203),
  'account.success_true': changing('leaves success out', READ, (body) => {
    delete body['success'];
  }),
  'account.data': changing('gives a list of accounts', READ, (body) => {
    body['data'] = [body['data'] ?? {}];
  }),
  'account.id': field('gives an id of its own', 'id', (id) => id + 1_000_000),
  'account.quota': field('gives the same quota always', 'quota', () => 1),
  'account.used_quota': field('never counts what was used', 'used_quota', () => 0),
  'account.request_count': field('never counts requests', 'request_count', () => 0),
  'account.all_keys': field('counts the requests of one key', 'request_count', (count) => Math.min(count, 1)),
} as const satisfies Readonly<Record<string, ServiceBreak>>;
