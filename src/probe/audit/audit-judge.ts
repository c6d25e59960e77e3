import type { ResolvedBilling } from '../../config/resolve-billing.ts';
import type { CacheResult } from '../../contracts/cache-result.ts';
import type { Reconciliation } from '../../contracts/reconciliation.ts';
import { loadReconcileInput } from '../../reconcile/input/load-reconcile-input.ts';
import { reconcile } from '../../reconcile/reconcile.ts';
import { paidCalls } from '../../reconcile/records/paid-call.ts';
import type { BillView } from '../view/bill-view.ts';
import { type AuditState, NOTHING_AUDITED, readAuditState, writeAuditState } from './audit-state.ts';
import { auditTally, REST_MS, type Tally } from './audit-tally.ts';
import { billGroups } from './bill-groups.ts';
import { type OwnCalls, OwnLedger } from './own-ledger.ts';

/** Calls this young are held against records again, whatever was found: a second charge may come. */
const AGAIN_MS = 2 * 3_600_000;

export interface WindowQuestion {
  readonly now_ms: number;
  /** Calls that began before and have no row run no more. */
  readonly running_since_ms: number;
  readonly billing: ResolvedBilling;
}

export interface AuditWindow {
  readonly calls: number;
  readonly under_way: number;
  /** From which moment on calls are held against records. */
  readonly since_ms: number;
  /** What was counted before cannot be read, and is begun anew. */
  readonly lost: boolean;
}

export interface JudgeQuestion {
  /** Where the records of the window stand, and the books. */
  readonly dir: string;
  readonly now_ms: number;
  readonly billing: ResolvedBilling;
}

export interface AuditJudgement {
  readonly tally: Omit<Tally, 'state'>;
  readonly calls: number;
  /** Null where no call tells how its prompt began. */
  readonly cache: CacheResult | null;
  readonly verdict: BillView['verdict'];
  readonly groups: BillView['groups'];
}

/** Own calls of one target and what was counted of them. All of it is arithmetic and files: none of it waits for the target. */
export class AuditJudge {
  readonly #ledger: OwnLedger;
  readonly #file: string;
  #state: AuditState | null = null;
  #own: OwnCalls | null = null;

  constructor(ledgerDir: string, stateFile: string) {
    this.#ledger = new OwnLedger(ledgerDir);
    this.#file = stateFile;
  }

  /** Which calls are to be held against records now. */
  async window({ now_ms, running_since_ms, billing }: WindowQuestion): Promise<AuditWindow> {
    const read = this.#state ?? readAuditState(this.#file);
    const state = read ?? NOTHING_AUDITED;
    this.#state = state;
    const forgotten_ms = forgetBefore(now_ms, billing);
    await this.#ledger.readOn(forgotten_ms);
    const all = await this.#ledger.since({ since_ms: forgotten_ms, running_since_ms });
    const open = paidCalls(all.ledger).filter(
      ({ call_id }) => (state.calls[call_id]?.verdict ?? null) === null,
    );
    const since_ms = open.reduce((least, { started_ms }) => Math.min(least, started_ms), now_ms - AGAIN_MS);
    await this.#ledger.forget({ since_ms, running_since_ms });
    const own = await this.#ledger.since({ since_ms, running_since_ms });
    this.#own = own;
    const calls = paidCalls(own.ledger).length;
    return { calls, under_way: own.under_way, since_ms, lost: read === null };
  }

  /** Judges the calls of the last window by the records and books of the folder. */
  async judge({ dir, now_ms, billing }: JudgeQuestion): Promise<AuditJudgement> {
    if (this.#own === null || this.#state === null) throw new RangeError('no window was asked for');
    const { ledger } = this.#own;
    const calls = paidCalls(ledger);
    const input = await loadReconcileInput(dir, {
      ledger,
      // Others may use the key: what no call explains is theirs.
      key: 'shared',
      terms: billing.terms,
      adapter: billing.book.adapter,
    });
    const judged = reconcile(input);
    const { state, ...tally } = auditTally({
      state: this.#state,
      calls,
      judged,
      deadlines: billing.terms.deadlines,
      now_ms,
      forget_before_ms: forgetBefore(now_ms, billing),
    });
    // First on the disk: after a crash too little was counted, and nothing twice.
    writeAuditState(this.#file, state);
    this.#state = state;
    return {
      tally,
      calls: calls.length,
      cache: judged.cache ?? null,
      verdict: verdictOf(judged, tally),
      groups: billGroups(judged.findings),
    };
  }
}

/** Beyond its deadline and a rest every call has its verdict: one more rest is for a round that comes late. */
function forgetBefore(now_ms: number, { terms: { deadlines } }: ResolvedBilling): number {
  return now_ms - Math.max(deadlines.text_ms, deadlines.task_ms) - 2 * REST_MS;
}

function verdictOf(
  { inconclusive }: Reconciliation,
  { classes }: Pick<Tally, 'classes'>,
): AuditJudgement['verdict'] {
  if (classes.size > 0) return 'findings';
  return inconclusive.length > 0 ? 'inconclusive' : 'clean';
}
