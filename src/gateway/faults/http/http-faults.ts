import type { FaultDefinition } from '../../hooks/fault-definition.ts';
import { MISSHAPEN_ANSWERS } from './misshapen-answers.ts';
import { RATE_LIMITS } from './rate-limits.ts';
import { REFUSED_CREDENTIALS } from './refused-credentials.ts';
import { REFUSED_REQUESTS } from './refused-requests.ts';
import { SERVER_ERROR_FAULTS } from './server-errors.ts';

/** Faults of status codes, headers and error bodies. */
export const HTTP_FAULTS: readonly FaultDefinition[] = [
  ...REFUSED_CREDENTIALS,
  ...REFUSED_REQUESTS,
  ...RATE_LIMITS,
  ...SERVER_ERROR_FAULTS,
  ...MISSHAPEN_ANSWERS,
];
