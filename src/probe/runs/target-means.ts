import type { GatewayClient } from '../../client/gateway-client.ts';
import type { ConnectionOptions } from '../../client/open-dispatcher.ts';
import type { Probe, ProbeTarget } from '../../contracts/probe-plan.ts';
import type { TargetBudget } from '../../state/budget/target-budget.ts';
import type { ProbeClock } from '../schedule/probe-clock.ts';
import type { TaskJournal } from '../tasks/task-journal.ts';
import type { FreeRead } from '../watch/target-watch.ts';
import type { CallLedger } from './call-ledger.ts';
import type { SubmittedRows } from './submitted-rows.ts';
import type { TargetBook } from './target-book.ts';
import type { TargetCredentials } from './target-credentials.ts';

/** What the runs of one target share. */
export interface TargetMeans {
  /** As last configured. */
  target(): ProbeTarget;
  readonly clock: ProbeClock;
  readonly connection: ConnectionOptions;
  readonly user_agent: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly credentials: TargetCredentials;
  /** Null where no paid probe is allowed. */
  readonly budget: TargetBudget | null;
  readonly tasks: TaskJournal | null;
  readonly ledger: CallLedger;
  readonly submitted: SubmittedRows;
  readonly book: TargetBook;
  /** A client with the credentials as they are now, which whoever asked for it closes. */
  reads(timeoutMs: number, signal: AbortSignal): GatewayClient;
  /** After each good free read. */
  seen(read: FreeRead): Promise<void>;
  /** Aborted at our end: open tasks are then left to the next process, while other runs may finish. */
  readonly ending: AbortSignal;
  /** The gateway named a task of ours, and it is written down. */
  accepted(probe: Probe, task: string): void;
  /** Spend that is set aside, before the paid call that it is for. */
  reserved(probe: Probe, worst: bigint, price: 'known' | 'assumed'): void;
}
