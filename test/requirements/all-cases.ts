import { ACCOUNT_CASES } from './cases/account.ts';
import { CREDENTIAL_CASES } from './cases/credentials.ts';
import { ERROR_CASES } from './cases/errors.ts';
import { IMAGE_CASES } from './cases/images.ts';
import { JOB_CASES } from './cases/jobs.ts';
import { MODEL_CASES } from './cases/models.ts';
import { TEXT_CASES } from './cases/text.ts';
import { UPSTREAM_CASES } from './cases/upstream.ts';
import { USAGE_CASES } from './cases/usage.ts';
import { VIDEO_CASES } from './cases/videos.ts';
import type { RequirementCase } from './requirement-case.ts';

/** The cases of all areas. */
export const REQUIREMENT_CASES: readonly RequirementCase[] = [
  ...MODEL_CASES,
  ...CREDENTIAL_CASES,
  ...ERROR_CASES,
  ...UPSTREAM_CASES,
  ...TEXT_CASES,
  ...IMAGE_CASES,
  ...JOB_CASES,
  ...VIDEO_CASES,
  ...ACCOUNT_CASES,
  ...USAGE_CASES,
];
