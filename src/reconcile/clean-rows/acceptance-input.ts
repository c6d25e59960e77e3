import type { UsageWindow } from '../../contracts/usage-lines.ts';
import type { JudgedReads } from '../../ledger/store/import-records.ts';
import type { PriceCell } from '../../pricebook/cells/price-cell.ts';
import type { AssumedReadings } from '../records/accepted-sums.ts';
import type { EarlierSweep } from './acceptance-sql.ts';

export interface AcceptanceInput {
  readonly ledger_files: readonly string[];
  readonly record_files: readonly string[];
  /** The last complete sweep; without one nothing can be accepted, and this stage is not asked. */
  readonly judged: JudgedReads;
  /** The windows which that sweep read. */
  readonly windows: readonly UsageWindow[];
  /** The prices of these models. */
  readonly cells: (models: readonly string[]) => readonly PriceCell[];
  /** As `AcceptanceTerms`. */
  readonly any_version: boolean;
  /** About so many calls of each price are judged by themselves though they are accepted. */
  readonly witnesses_per_price: number;
  /** As declared by the user or published by the target; null lets the records decide, as `billingSettings` does. */
  readonly readings: { readonly [Name in keyof AssumedReadings]: AssumedReadings[Name] | null };
  /** A record of an accepted call is created within this after its end. */
  readonly late_ms: number;
  readonly earlier: readonly EarlierSweep[];
  readonly posting_ms: number;
  /** Calls that are never accepted: open items of earlier runs wait for their own judgement. */
  readonly apart: { readonly calls: readonly string[]; readonly requests: readonly string[] };
  readonly temp_dir: string;
  /** Of the program: what another one accepted is accepted anew. */
  readonly version: string;
}
