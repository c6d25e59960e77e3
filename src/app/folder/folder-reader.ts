import type { AuditPeriod } from '../../contracts/audit-period.ts';
import { type LoadedLedger, loadLedger, NO_LEDGER } from '../../ledger/load-ledger.ts';
import { UsageFiles } from '../../reconcile/input/load-reconcile-input.ts';
import { keptLedgerFiles, readKeptEvidence } from './keep-evidence.ts';
import { readPeriod } from './period-folder.ts';

/**
 * Reads a run folder that is judged again and again while usage is read. The ledger, to which nobody writes any more,
 * is read once; of the usage files only what is new.
 */
export class FolderReader {
  readonly runDir: string;
  /** Null where the folder is that of a run. */
  readonly period: AuditPeriod | null;
  readonly usage: UsageFiles;
  #ledger: Promise<LoadedLedger | null> | null = null;

  constructor(runDir: string) {
    this.runDir = runDir;
    this.period = readPeriod(runDir);
    this.usage = new UsageFiles(runDir);
  }

  /** The calls that the bill is compared with. */
  async ledger(): Promise<LoadedLedger> {
    return (await this.#read()) ?? NO_LEDGER;
  }

  /** `records`: nothing tells of calls, so that each record is judged by itself. */
  async basis(): Promise<'ledger' | 'records'> {
    return (await this.#read()) === null ? 'records' : 'ledger';
  }

  /** Files of a ledger of ours that is audited by itself; null where the folder holds another, or none. */
  ledgerFiles(): readonly string[] | null {
    return this.period === null ? null : keptLedgerFiles(this.runDir);
  }

  #read(): Promise<LoadedLedger | null> {
    this.#ledger ??=
      this.period === null
        ? loadLedger(this.runDir)
        : readKeptEvidence(this.runDir).then((kept) => kept?.ledger ?? null);
    return this.#ledger;
  }
}
