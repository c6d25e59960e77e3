import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { parseInstant } from '../../core/time.ts';
import { readEvidence } from '../../ledger/evidence/read-evidence.ts';
import { loadLedger } from '../../ledger/load-ledger.ts';
import type { EvidenceSource } from '../folder/keep-evidence.ts';
import type { NamedWindow } from './audit-window.ts';

/** Clocks of two machines differ, and a gateway may date a record by its settlement, a task's a day later. */
const BEFORE_S = 60;
const AFTER_S = 86_400;

/** The time in which the records of a ledger's calls stand, `latestS` its end at the latest. Throws `ledger_empty` (exit 2). */
export async function evidenceWindow(source: EvidenceSource | null, latestS: number): Promise<NamedWindow> {
  const { rows, intents } = source === null ? { rows: [], intents: [] } : await ledgerOf(source);
  const moments = [
    ...rows.map(({ started_at, end_ms }) => [parseInstant(started_at), end_ms] as const),
    ...intents.map(({ at }) => [parseInstant(at), 0] as const),
  ].flatMap(([at, ms]) => (at === null ? [] : [{ from: at, to: at + ms }]));
  if (moments.length === 0) {
    throw new WeighbridgeError({
      code: 'ledger_empty',
      message: `expected calls in the ledger, found none in ${source?.files.join(', ') ?? 'it'}`,
      hint: 'give the ledger of the calls whose bill is audited, or a period with --month or --from and --to',
      exitCode: EXIT.usage,
    });
  }
  const from = moments.reduce((least, moment) => Math.min(least, moment.from), Number.POSITIVE_INFINITY);
  const to = moments.reduce((most, moment) => Math.max(most, moment.to), 0);
  const start = Math.floor(from / 1000) - BEFORE_S;
  const end = Math.min(Math.ceil(to / 1000) + AFTER_S, latestS);
  return {
    start,
    end: Math.max(end, start + 1),
    name: `ledger-${new Date(from).toISOString().slice(0, 10)}`,
  };
}

async function ledgerOf({ files, format, columns }: EvidenceSource) {
  if (format === 'weighbridge') return loadLedger(files);
  const { ledger } = await readEvidence({ files, format, ...(columns === null ? {} : { columns }) });
  return ledger;
}
