import { WeighbridgeError } from '../contracts/failure.ts';
import type { LedgerHeader } from '../contracts/ledger-lines.ts';

/** A header and where it was read. */
export interface HeaderPlace {
  readonly file: string;
  readonly line: number;
  readonly header: LedgerHeader;
}

/** Parts of one run have its id with one of these behind it: the trial, and the steps of a search for the capacity. */
const PART = /-(trial|step\d+)$/;

/** The run that a part of it is of. */
export function runOfPart(run_id: string): string {
  return run_id.replace(PART, '');
}

/**
 * Throws `ledger_mixed` where headers name different runs: their call ids may be alike, and a row would be taken for
 * another call's. A run's own parts belong to it.
 */
export function refuseMixedRuns(places: readonly HeaderPlace[]): void {
  const [shortest] = places.toSorted((a, b) => a.header.run_id.length - b.header.run_id.length);
  if (shortest === undefined) return;
  const run = runOfPart(shortest.header.run_id);
  const other = places.find(({ header }) => runOfPart(header.run_id) !== run);
  if (other === undefined) return;
  throw new WeighbridgeError({
    code: 'ledger_mixed',
    message: `The files come from two runs: ${shortest.file} from ${run}, and ${other.file} from ${other.header.run_id}.`,
    hint: 'Give the folders of one run at a time.',
  });
}

/**
 * Throws `instances_alike` where two k6 made calls of one plan under one name: both count their calls from the same
 * names, so that one's calls would be taken for the other's, and those left over for calls that nobody made.
 */
export function refuseAlike(places: readonly HeaderPlace[]): void {
  const planned = places.filter(({ header }) => header.plan_hash !== null);
  for (const own of Map.groupBy(planned, ({ header }) => `${header.run_id} ${header.instance}`).values()) {
    const [first] = own;
    const other = own.find(({ header }) => first !== undefined && !isOneProcess(first.header, header));
    if (first === undefined || other === undefined) continue;
    throw new WeighbridgeError({
      code: 'instances_alike',
      message: `Two k6 used the instance name ${first.header.instance}: ${placeWords(first)} and ${placeWords(other)}. Their calls cannot be told apart, so nothing was judged.`,
      hint: 'Write a new plan and run it again with another WEIGHBRIDGE_INSTANCE for each k6. To check what these calls cost, run `weighbridge reconcile --month`.',
    });
  }
}

/** The clock is read once per process. */
function isOneProcess(one: LedgerHeader, other: LedgerHeader): boolean {
  const { wall, mono_ms } = one.clock;
  return one.segment === other.segment && wall === other.clock.wall && mono_ms === other.clock.mono_ms;
}

function placeWords({ file, header }: HeaderPlace): string {
  return header.segment === null ? file : `${file} (segment ${header.segment})`;
}
