import type { RequirementId } from '../requirements.ts';
import type { Service } from './service.ts';

/** One named check of the service. It asserts what it cites and takes everything else as it comes. */
export interface RequirementCase {
  readonly name: string;
  readonly requires:
    | readonly [RequirementId]
    | readonly [RequirementId, RequirementId]
    | readonly [RequirementId, RequirementId, RequirementId];
  /** Rejects when a cited requirement is not held. Cases run at the same time and in any order. */
  run(service: Service): Promise<void>;
}
