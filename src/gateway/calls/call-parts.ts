import type { ChargeLedger } from '../charging/charge-ledger.ts';
import type { LateSettlements } from '../charging/late-settlements.ts';
import type { OpenCalls } from '../charging/open-calls.ts';
import type { RecordStore } from '../charging/record-store.ts';
import type { BooksLog } from '../events/books-event.ts';
import type { WornDialect } from '../hooks/dialect.ts';
import type { CallJournal } from '../journal/call-journal.ts';
import type { PriceHistory } from '../pricing/price-history.ts';
import type { Readings } from '../readings/readings.ts';
import type { ServedForms } from '../readings/served-forms.ts';
import type { Clock } from '../time/clock.ts';
import type { CallDetails } from './call-details.ts';

/** The parts of a gateway on which one paid call acts. */
export interface CallParts {
  readonly clock: Clock;
  /** Null: everything is forgotten when the process ends. */
  readonly data: BooksLog | null;
  readonly records: RecordStore;
  readonly ledger: ChargeLedger;
  readonly openCalls: OpenCalls;
  readonly lateSettlements: LateSettlements;
  readonly journal: CallJournal;
  readonly prices: PriceHistory;
  readonly readings: Readings;
  readonly forms: ServedForms;
  /** Null: the interface. */
  readonly dialect: WornDialect | null;
  /** Null where no dialect needs them. */
  readonly details: CallDetails | null;
  /** Unix seconds at which calls ended, by the ids of their records: kept where totals go by it. */
  readonly endings: Map<string, number>;
}
