import type { Warrant } from '../../contracts/warrant.ts';
import { type HabitCount, isHabit } from '../records/habit.ts';

/** What lets a judge accuse; nothing else does. */
export const WARRANTS = {
  charges_completed: sentence('interface §1.6: each completed request is charged'),
  records_requests: sentence('interface §1.6: each recorded request has its counts and its cost'),
  credits_failed: sentence('interface §3, rule 3: the credit of a failed task appears in usage'),
  record_fields: sentence('interface §2: the fields of a usage record'),
  usage_in_usd: sentence('interface §2: usage is in USD'),
  totals_fields: sentence('interface §2: the fields of usage totals'),
  windows: sentence('interface §4: a window includes its first second and excludes its last'),
  filters: sentence('interface §4: the model filter is exact'),
  pages: sentence('interface §4: next_cursor leads on while the window and the filters are kept'),
  price_book: document('the price book'),
  price_books: document('the price books that were served under one version'),
  record: document('the record contradicts itself'),
  records: document('the records as served'),
  versions_of_record: document('two reads of the same record'),
  totals: document('the totals contradict themselves'),
  totals_and_records: document('totals and records of one window'),
  account: document('the counters of the account'),
  answer: observation('what the answer told our client'),
  sent_once: observation('our client sent the request once'),
  never_sent: observation('our client never sent the call'),
  own_calls: observation('every call of the key stands in our ledger'),
  request_limit: observation('what the request of our client allowed'),
  own_count: observation('the own count of the text that was sent or came'),
} as const;

function sentence(of: string): Warrant {
  return { kind: 'sentence', of };
}

function document(of: string): Warrant {
  return { kind: 'document', of };
}

function observation(of: string): Warrant {
  return { kind: 'observation', of };
}

/** Names a key of the configuration. */
export function declaration(of: string): Warrant {
  return { kind: 'declaration', of };
}

/** Null where the records follow no one reading. */
export function habit(of: string, count: HabitCount): Warrant | null {
  if (!isHabit(count)) return null;
  return { kind: 'habit', of: `${of}: ${count.telling} records tell, ${count.exceptions} are exceptions` };
}
