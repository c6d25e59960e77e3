import type { FaultDefinition } from '../../hooks/fault-definition.ts';
import { semDuplicateIds } from './text-duplicate-ids.ts';
import { semEmptyOutput } from './text-empty-output.ts';
import { semErrorInStream } from './text-error-in-stream.ts';
import { semFailedThenText } from './text-failed-then-text.ts';
import { semInterleavedChoices } from './text-interleaved-choices.ts';
import { semResponsesFailed } from './text-responses-failed.ts';
import { semResponsesIncomplete } from './text-responses-incomplete.ts';
import { semSequenceGap } from './text-sequence-gap.ts';
import { REPLY_TOLD_WRONG } from './text-told-wrong.ts';
import { USAGE_FORMS } from './text-usage-forms.ts';
import { semUsageMissing } from './text-usage-missing.ts';
import { USAGE_TOLD_WRONG } from './text-usage-told-wrong.ts';

/** Text answers that say something wrong. */
export const TEXT_FAULTS: readonly FaultDefinition[] = [
  semEmptyOutput,
  ...REPLY_TOLD_WRONG,
  semUsageMissing,
  ...USAGE_TOLD_WRONG,
  ...USAGE_FORMS,
  semFailedThenText,
  semSequenceGap,
  semInterleavedChoices,
  semErrorInStream,
  semResponsesFailed,
  semResponsesIncomplete,
  semDuplicateIds,
];
