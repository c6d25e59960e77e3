import { seededRandom } from '../../core/seeded-random.ts';
import type { FaultHooks, FaultParameters, FaultSubject } from './fault-definition.ts';
import type { FaultEntry, FaultPlan } from './fault-plan.ts';
import { faultById } from './fault-registry.ts';

/** A fault chosen for one call; it has fired only once one of its hooks acted. */
export interface ArmedFault {
  readonly fault: string;
  readonly ordinal: number;
  readonly parameters: FaultParameters;
  readonly hooks: FaultHooks;
}

/** Decides which faults hit which calls. */
export class FaultEngine {
  readonly #seed: number;
  #plan: FaultPlan;
  /** Selected calls so far, of each entry and of each entry, key and endpoint. */
  #counts = new Map<string, number>();

  constructor(seed: number, plan: FaultPlan) {
    this.#seed = seed;
    this.#plan = plan;
  }

  /** A new plan counts from the start. */
  use(plan: FaultPlan): void {
    this.#plan = plan;
    this.#counts = new Map();
  }

  faultsFor(call: FaultSubject): readonly ArmedFault[] {
    return this.#plan.faults.flatMap((entry, index) => {
      const definition = faultById(entry.fault);
      if (!selects(entry, call) || !definition.applies(call)) return [];
      const ordinal = this.#decide(entry, index, call);
      if (ordinal === null) return [];
      return [
        {
          fault: entry.fault,
          ordinal,
          parameters: entry.parameters,
          hooks: definition.arm(entry.parameters),
        },
      ];
    });
  }

  /** The ordinal of the call if the fault fires. It depends on the ordinal of the call and not on what runs beside it. */
  #decide(entry: FaultEntry, index: number, call: FaultSubject): number | null {
    const { nth, probability = 0 } = entry.when;
    if (nth !== undefined) {
      const ordinal = this.#count(`${index}`);
      return ordinal === nth ? ordinal : null;
    }
    const lane = `${index} ${call.keyOrdinal} ${call.endpoint}`;
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

function selects({ select }: FaultEntry, call: FaultSubject): boolean {
  if (select === undefined) return true;
  return (
    (select.endpoint === undefined || select.endpoint === call.endpoint) &&
    (select.kind === undefined || select.kind === call.kind) &&
    (select.model === undefined || select.model === call.model) &&
    (select.key_fp === undefined || select.key_fp === call.keyFingerprint)
  );
}
