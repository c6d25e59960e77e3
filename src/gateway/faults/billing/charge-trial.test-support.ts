import type { JournalCall, JournalFault } from '../../../contracts/journal.ts';
import type { PicoUsd } from '../../../core/amount.ts';
import type { Account } from '../../account/account.ts';
import { AccountRegistry } from '../../account/account-registry.ts';
import { ServedCall } from '../../calls/paid-call.ts';
import { ChargeLedger } from '../../charging/charge-ledger.ts';
import { costOf } from '../../charging/credit-effect.ts';
import { LateSettlements } from '../../charging/late-settlements.ts';
import { OpenCalls } from '../../charging/open-calls.ts';
import { type ChargedUnits, workCharge } from '../../charging/priced-work.ts';
import { RecordStore } from '../../charging/record-store.ts';
import type { ChargeRecord } from '../../events/charge-record.ts';
import { RequestFaults } from '../../hooks/request-faults.ts';
import { CallJournal } from '../../journal/call-journal.ts';
import { CATALOGUE } from '../../models/catalogue.ts';
import { OWN_ROUNDING } from '../../prices/rounding-rule.ts';
import { PriceHistory } from '../../pricing/price-history.ts';
import { OWN_READINGS } from '../../readings/readings.ts';
import { ServedForms } from '../../readings/served-forms.ts';
import { systemClock } from '../../time/clock.ts';
import { TimerWheel } from '../../time/timer-wheel.ts';
import { FaultEngine } from '../fault-engine.ts';
import type { FaultEntry } from '../fault-plan.ts';

/** What each account begins with. */
export const START: PicoUsd = 500n * 10n ** 12n;
const BOOK = { pricebook_id: 'pb', pricing_version: 'v' };
const USED = { input: 1701, output: 903, cacheRead: 307, cacheWrite: 0 };
const ALL = { start: 0, end: 2 ** 32, model: null, requestId: null };
const NOBODYS_KEY = '0000000000000000';

const clock = systemClock();
const wheel = new TimerWheel(clock);
const prices = new PriceHistory(CATALOGUE);
prices.change({ factor: '1.5' }, 2000);

/** How a call ends before faults come to it. */
export type TrialEnd = 'image' | 'failed image' | 'text' | 'cut text' | 'failed text';

export interface TriedCharge {
  readonly faults: readonly JournalFault[];
  readonly call: JournalCall;
  /** What the call costs without a fault. */
  readonly honest: PicoUsd;
  readonly reserve: PicoUsd;
  /** The records of the key in the end, but for that of an honest call before. */
  readonly records: readonly ChargeRecord[];
  /** Records that stand with a key of nobody. */
  readonly misfiled: readonly ChargeRecord[];
  /** In the end; it began with `START`, and the honest call before took as much as this one would. */
  readonly account: Account;
  /** The least that was held back after any step. */
  readonly leastHeld: PicoUsd;
}

/** One paid call with faults, from its reserve to the last of what comes late, in books of its own. */
export function tryCharge(end: TrialEnd, asked: readonly FaultEntry[]): TriedCharge {
  const records = new RecordStore();
  const journal = new CallJournal(null);
  const lateSettlements = new LateSettlements(clock, wheel);
  const parts = {
    clock,
    data: null,
    records,
    ledger: new ChargeLedger(records, BOOK),
    openCalls: new OpenCalls(),
    lateSettlements,
    journal,
    prices,
    readings: OWN_READINGS,
    forms: new ServedForms(),
    endings: new Map(),
    dialect: null,
    details: null,
  };
  const registry = new AccountRegistry();
  const { account } = registry.addAccount({ balance: START });
  const { key } = registry.addKey({ account });
  const work = workOf(end);
  const amount = workCharge(work, USED) ?? 0n;
  const reserve = work.kind === 'text' ? amount * 3n : amount;
  const model = work.model.id;
  const [endpoint, kind] =
    work.kind === 'text'
      ? (['/v1/messages', 'messages'] as const)
      : (['/v1/images/generations', 'image'] as const);
  const subject = { endpoint, kind, model, keyFingerprint: key.fingerprint, keyOrdinal: 1, stream: false };
  const begin = (requestId: string, faults: RequestFaults): ServedCall =>
    new ServedCall(parts, {
      requestId,
      key,
      endpoint,
      kind,
      model,
      prompt: '',
      reserve,
      faults,
      rule: OWN_ROUNDING,
      work,
    });
  const finish = (call: ServedCall): void => {
    if (end === 'failed image') call.refund('failed');
    else if (end === 'failed text') call.refund('failed', { ...USED, output: 0 });
    else if (end === 'cut text') call.settle({ amount, usage: USED, result: 'incomplete', estimated: true });
    else call.settle({ amount, usage: USED, result: 'completed', estimated: false });
  };

  finish(begin('before', RequestFaults.NONE));
  const [first] = records.newestFirst(key.fingerprint, ALL, null);
  const requestId = 'request-0000000000000001';
  const armed = new FaultEngine(1, { faults: [] }, journal).faultsFor(subject, requestId, asked);
  const call = begin(requestId, armed);
  finish(call);
  const held = [account.reserved];
  armed.first((hooks) => hooks.replace?.({ status: 200, headers: {}, body: '' }));
  call.end();
  lateSettlements.settleAll();
  held.push(account.reserved);

  const { lines } = journal.since(0);
  const [line, ...others] = lines.filter((one) => one.type === 'call');
  if (line === undefined || others.length > 0) throw new Error('not one line for the call');
  return {
    faults: lines.filter((one) => one.type === 'fault'),
    call: line,
    honest: end.startsWith('failed') ? 0n : amount,
    reserve,
    records: [...records.newestFirst(key.fingerprint, ALL, null)].filter(({ id }) => id !== first?.id),
    misfiled: [...records.newestFirst(NOBODYS_KEY, ALL, null)],
    account,
    leastHeld: held.reduce((least, next) => (next < least ? next : least)),
  };
}

export function billOf(records: readonly ChargeRecord[]): PicoUsd {
  return records.reduce((sum, record) => sum + costOf(record), 0n);
}

function workOf(end: TrialEnd): ChargedUnits {
  const id = end.endsWith('text') ? 'cedar-sonnet' : 'lumen-image';
  const model = prices.modelOf(prices.current, id);
  if (model?.kind === 'text') return { kind: 'text', model };
  if (model?.kind === 'image') return { kind: 'image', model, size: '1024x1024', quality: 'medium' };
  throw new Error(`no such model: ${id}`);
}
