import type { RecordingRule } from './alert-rule.ts';
import { LOAD_RUN_ACTIVE } from './load-hold.ts';
import { OUTAGE_RECORDS } from './outage-hold.ts';
import { RECORDING_RULES } from './recording-rules.ts';

/** Every record, in the order in which they are evaluated. */
export const ALL_RECORDS: readonly RecordingRule[] = [...RECORDING_RULES, LOAD_RUN_ACTIVE, ...OUTAGE_RECORDS];
