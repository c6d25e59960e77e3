import type { FaultClass } from '../../core/fault-class.ts';

/** A sentence of the service's own description. */
export interface InterfaceSentence {
  readonly section: string;
  readonly sentence: string;
}

const CHARGED_ONCE: InterfaceSentence = {
  section: '1, What the service does, 6',
  sentence: "Each completed model request is charged against the account's USD credit.",
};

const BY_USAGE: InterfaceSentence = {
  section: '2, Pricebook',
  sentence:
    'It is the same price book as the public pricing view; the final charge is set by actual usage and applicable adjustments.',
};

const FAILED_TASK: InterfaceSentence = {
  section: '3, Rules on reading status, 3',
  sentence:
    "For `failed`, polling stops; the task's `error` is read and the credit adjustment appears in usage.",
};

/** What is charged although no completed request stands behind it. */
const WITHOUT_REQUEST: readonly FaultClass[] = [
  'duplicate_charge',
  'retry_double_charge',
  'phantom_record',
  'charged_on_rejected',
  'charged_on_server_error',
  'charged_empty_output',
  'reservation_leak',
  'state_regression',
];

/** The sentence that a charge of this class breaks; every other claim is about the price or the units. */
export function brokenRule(named: FaultClass): InterfaceSentence {
  if (named === 'failed_task_not_refunded') return FAILED_TASK;
  return WITHOUT_REQUEST.includes(named) ? CHARGED_ONCE : BY_USAGE;
}
