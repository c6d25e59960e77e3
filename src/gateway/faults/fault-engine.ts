import { JOURNAL_SCHEMA, type JournalFault } from '../../contracts/journal.ts';
import { formatAmount } from '../../core/amount.ts';
import { seededRandom } from '../../core/seeded-random.ts';
import type { FaultContext, FaultSubject } from '../hooks/fault-definition.ts';
import { type ArmedFault, RequestFaults } from '../hooks/request-faults.ts';
import type { FaultEntry, FaultPlan } from './fault-plan.ts';
import { faultById } from './fault-registry.ts';

/** Where fired faults are written down. */
export interface FaultJournal {
  append(line: JournalFault): void;
}

/** Decides which faults hit which requests. */
export class FaultEngine {
  readonly #seed: number;
  readonly #journal: FaultJournal;
  #plan: FaultPlan;
  /** Selected requests so far, of each entry and of each entry, key and endpoint. */
  #counts = new Map<string, number>();

  constructor(seed: number, plan: FaultPlan, journal: FaultJournal) {
    this.#seed = seed;
    this.#plan = plan;
    this.#journal = journal;
  }

  get plan(): FaultPlan {
    return this.#plan;
  }

  /** A new plan counts from the start. */
  use(plan: FaultPlan): void {
    this.#plan = plan;
    this.#counts = new Map();
  }

  /** `asked`: faults that the request itself asks for; they stand in the place of the plan. */
  faultsFor(subject: FaultSubject, requestId: string, asked: readonly FaultEntry[] | null): RequestFaults {
    const armed =
      asked === null
        ? this.#plan.faults.flatMap((entry, index) => this.#planned(entry, index, subject, requestId))
        : asked.flatMap((entry) =>
            faultById(entry.fault).applies(subject) ? [this.#arm(entry, subject, requestId, 1)] : [],
          );
    return armed.length === 0 ? RequestFaults.NONE : new RequestFaults(armed);
  }

  #planned(entry: FaultEntry, index: number, subject: FaultSubject, requestId: string): ArmedFault[] {
    if (!selects(entry, subject) || !faultById(entry.fault).applies(subject)) return [];
    const ordinal = this.#decide(entry, index, subject);
    return ordinal === null ? [] : [this.#arm(entry, subject, requestId, ordinal)];
  }

  #arm(entry: FaultEntry, subject: FaultSubject, requestId: string, ordinal: number): ArmedFault {
    const { fault, parameters } = entry;
    const told = new Set<string>();
    const context: FaultContext = {
      subject,
      requestId,
      random: seededRandom(this.#seed, 'parameters', fault, subject.keyOrdinal, subject.endpoint, ordinal),
      fire: (delta = 0n, wronged = requestId) => {
        if (told.has(wronged)) return;
        told.add(wronged);
        this.#journal.append({
          schema: JOURNAL_SCHEMA,
          type: 'fault',
          fault,
          request_id: wronged,
          ordinal,
          parameters,
          delta: formatAmount(delta),
        });
      },
    };
    return { fault, ordinal, parameters, hooks: faultById(fault).arm(parameters, context) };
  }

  /** The ordinal of the request if the fault fires. It depends on that ordinal and not on what runs beside it. */
  #decide(entry: FaultEntry, index: number, subject: FaultSubject): number | null {
    const { nth, first, every, probability = 0 } = entry.when;
    if (nth !== undefined || first !== undefined || every !== undefined) {
      const ordinal = this.#count(`${index}`);
      const chosen =
        nth !== undefined
          ? ordinal === nth
          : first !== undefined
            ? ordinal <= first
            : ordinal % (every ?? 1) === 0;
      return chosen ? ordinal : null;
    }
    const lane = `${index} ${subject.keyOrdinal} ${subject.endpoint}`;
    const ordinal = this.#count(lane);
    const draw = seededRandom(this.#seed, entry.fault, lane, ordinal).next();
    return draw < probability ? ordinal : null;
  }

  #count(lane: string): number {
    const count = (this.#counts.get(lane) ?? 0) + 1;
    this.#counts.set(lane, count);
    return count;
  }
}

function selects({ select }: FaultEntry, subject: FaultSubject): boolean {
  if (select === undefined) return true;
  return (
    (select.endpoint === undefined || select.endpoint === subject.endpoint) &&
    (select.kind === undefined || select.kind === subject.kind) &&
    (select.paid === undefined || select.paid === (subject.kind !== null)) &&
    (select.stream === undefined || select.stream === subject.stream) &&
    (select.model === undefined || select.model === subject.model) &&
    (select.key_fp === undefined || select.key_fp === subject.keyFingerprint)
  );
}
