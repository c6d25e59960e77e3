import type { Requirement } from './requirement.ts';

/** What the interface says of account. */
export const ACCOUNT_CLAIMS = [
  {
    id: 'account.read_200',
    source: 'interface §4 GET /api/user/self',
    says: 'The account read answers 200.',
  },
  { id: 'account.success_true', source: 'interface §4 GET /api/user/self', says: 'It says success true.' },
  {
    id: 'account.data',
    source: 'interface §4 GET /api/user/self',
    says: 'The account record stands in data.',
  },
  { id: 'account.id', source: 'interface §2 account record', says: 'id is the value of New-Api-User.' },
  { id: 'account.quota', source: 'interface §2 account record', says: 'quota is the credit that remains.' },
  {
    id: 'account.used_quota',
    source: 'interface §2 account record',
    says: 'used_quota is what has been used.',
  },
  {
    id: 'account.request_count',
    source: 'interface §2 account record',
    says: 'request_count is the number of requests.',
  },
  {
    id: 'account.all_keys',
    source: 'interface §2 account record',
    says: 'The record is that of the account, not of one key.',
  },
] as const satisfies readonly Requirement[];
