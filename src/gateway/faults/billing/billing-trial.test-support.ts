import { expect } from 'vitest';
import * as z from 'zod';
import type { UsageRecord, UsageTotals } from '../../../contracts/interface.ts';
import type { JournalCall, JournalFault, JournalLine } from '../../../contracts/journal.ts';
import { type PicoUsd, parseAmount, readAmount } from '../../../core/amount.ts';
import type { FaultParameters } from '../../hooks/fault-definition.ts';
import { startTestGateway, type TestGateway } from '../../parts/gateway.test-support.ts';

/** One call of a script; `fails`: the task that it makes is made to fail. */
interface ScriptedCall {
  readonly path: string;
  readonly body: object;
  readonly fails?: boolean;
}

/** Calls one after the other, and the faults that belong to them whatever is tried. */
export interface Script {
  readonly calls: readonly ScriptedCall[];
  readonly beside?: readonly object[];
}

export interface Tried {
  /** Newest first. */
  readonly records: readonly UsageRecord[];
  readonly totals: UsageTotals;
  readonly account: { readonly balance: PicoUsd; readonly reserved: PicoUsd; readonly used: PicoUsd };
  readonly calls: readonly JournalCall[];
  /** Those of the tried fault. */
  readonly faults: readonly JournalFault[];
  /** Those of all faults, the ones beside it included. */
  readonly allFaults: readonly JournalFault[];
  /** Of the calls of the script, in their order. */
  readonly requestIds: readonly string[];
  /** HTTP status of each. */
  readonly statuses: readonly number[];
  /** Reads journal, records, totals and account once more. */
  again(): Promise<Tried>;
}

const START = 5n * 10n ** 12n;
const lines = z.object({ lines: z.array(z.custom<JournalLine>((line) => typeof line === 'object')) });
const page = z.object({ data: z.array(z.custom<UsageRecord>((value) => typeof value === 'object')) });
const totals = z.custom<UsageTotals>((value) => typeof value === 'object' && value !== null);
const money = z.object({ balance_usd: z.string(), reserved_usd: z.string(), used_usd: z.string() });
const task = z.union([
  z.object({ job_id: z.string() }).transform(({ job_id }) => job_id),
  z.object({ id: z.string() }).transform(({ id }) => id),
]);

/** One gateway that runs scripts with and without a fault, each with a key of an account of its own. */
export class BillingTrials {
  readonly gateway: TestGateway;
  /** What a script comes to without a fault. */
  readonly #right = new Map<Script, Promise<Tried>>();

  private constructor(gateway: TestGateway) {
    this.gateway = gateway;
  }

  static async start(options: Parameters<typeof startTestGateway>[0] = {}): Promise<BillingTrials> {
    return new BillingTrials(await startTestGateway(options));
  }

  right(script: Script): Promise<Tried> {
    const held = this.#right.get(script) ?? this.#run(script, null);
    this.#right.set(script, held);
    return held;
  }

  wrong(
    script: Script,
    fault: { readonly fault: string; readonly nth: number; readonly parameters: FaultParameters },
  ): Promise<Tried> {
    return this.#run(script, fault);
  }

  async #run(
    { calls, beside = [] }: Script,
    fault: { readonly fault: string; readonly nth: number; readonly parameters: FaultParameters } | null,
  ): Promise<Tried> {
    const { gateway } = this;
    const tried =
      fault === null ? [] : [{ fault: fault.fault, when: { nth: fault.nth }, parameters: fault.parameters }];
    const plan = await gateway.control('PUT', '/faults', { faults: [...beside, ...tried] });
    expect([plan.status, plan.text]).toEqual([200, expect.any(String)]);
    const before = (await this.#journal()).length;
    const { userId, apiKey } = await gateway.newKey({ balance_usd: '5' });
    const headers = { authorization: `Bearer ${apiKey}` };
    const requestIds: string[] = [];
    const statuses: number[] = [];
    for (const { path, body, fails = false } of calls) {
      const answer = await gateway.call('POST', path, body, headers);
      expect([answer.status, answer.text]).toEqual([expect.any(Number), expect.any(String)]);
      statuses.push(answer.status);
      requestIds.push(answer.headers.get('x-request-id') ?? '');
      if (!fails) continue;
      const failed = await gateway.control('POST', `/tasks/${task.parse(answer.json)}/fail`);
      expect(failed.status).toBe(200);
    }
    let own: JournalLine[] = [];
    const ended = async (): Promise<number> => {
      own = (await this.#journal()).slice(before);
      return own.filter((line) => line.type === 'call').length;
    };
    await expect.poll(ended, { interval: 5 }).toBe(calls.length);
    const read = async (): Promise<Tried> => {
      own = (await this.#journal()).slice(before);
      const account = money.parse((await gateway.control('GET', `/accounts/${userId}`)).json);
      return {
        records: page.parse(
          (await gateway.call('GET', '/v1/usage/requests?limit=200', undefined, headers)).json,
        ).data,
        totals: totals.parse((await gateway.call('GET', '/v1/usage', undefined, headers)).json),
        account: {
          balance: amount(account.balance_usd),
          reserved: amount(account.reserved_usd),
          used: amount(account.used_usd),
        },
        calls: own.filter((line) => line.type === 'call'),
        faults: own.filter((line) => line.type === 'fault' && line.fault === fault?.fault).filter(isFault),
        allFaults: own.filter(isFault),
        requestIds,
        statuses,
        again: read,
      };
    };
    return read();
  }

  async #journal(): Promise<readonly JournalLine[]> {
    return lines.parse((await this.gateway.control('GET', '/journal')).json).lines;
  }
}

function isFault(line: JournalLine): line is JournalFault {
  return line.type === 'fault';
}

/** What a record costs: its amount, what a refund kept, or what is still held back. */
function costOf(record: UsageRecord): PicoUsd {
  switch (record.billing_status) {
    case 'settled':
      return amount(record.amount);
    case 'refunded':
      return amount(record.reserved_amount) - amount(record.refunded_amount);
    default:
      return amount(record.reserved_amount);
  }
}

export function billOf(records: readonly UsageRecord[]): PicoUsd {
  return records.reduce((sum, record) => sum + costOf(record), 0n);
}

/** What is spent of an account that began with 5 USD, and what is held back. */
export function takenFrom({ account }: Tried): PicoUsd {
  expect(account.balance + account.used).toBe(START);
  return account.used + account.reserved;
}

export function deltaOf(faults: readonly JournalFault[]): PicoUsd {
  return faults.reduce((sum, { delta }) => sum + amount(delta), 0n);
}

/** An amount text, read down to 10⁻¹² USD; one with an exponent, a comma or as a number too. */
export function amount(text: string | number): PicoUsd {
  const plain = String(text).replace(',', '.');
  const reading = readAmount(plain);
  if (reading.kind === 'exact') return reading.value;
  if (reading.kind === 'interval') return reading.lo;
  return parseAmount(Number(plain).toFixed(12)) ?? 0n;
}

/** A record without what differs between two runs of a script. */
export function content(record: UsageRecord | undefined): object {
  const {
    id: _,
    request_id: __,
    created_at: ___,
    ...kept
  } = record ?? { id: '', request_id: '', created_at: 0 };
  return kept;
}
