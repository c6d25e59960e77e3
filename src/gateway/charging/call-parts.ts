import type { Clock } from '../clock.ts';
import type { BooksLog } from '../data/books-event.ts';
import type { CallJournal } from '../journal/call-journal.ts';
import type { PriceHistory } from '../pricing/price-history.ts';
import type { Readings } from '../readings/readings.ts';
import type { ChargeLedger } from './charge-ledger.ts';
import type { LateSettlements } from './late-settlements.ts';
import type { OpenCalls } from './open-calls.ts';
import type { RecordStore } from './record-store.ts';
import type { ServedForms } from './served-forms.ts';

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
}
