import type { RequirementId } from '../requirements.ts';
import { ACCOUNT_BREAKS } from './breaks/account.ts';
import { CREDENTIAL_BREAKS } from './breaks/credentials.ts';
import { ERROR_BREAKS } from './breaks/errors.ts';
import { IMAGE_BREAKS } from './breaks/images.ts';
import { JOB_BREAKS } from './breaks/jobs.ts';
import { MODEL_BREAKS } from './breaks/models.ts';
import { TEXT_BREAKS } from './breaks/text.ts';
import { UPSTREAM_BREAKS } from './breaks/upstream.ts';
import { USAGE_BREAKS } from './breaks/usage.ts';
import { VIDEO_BREAKS } from './breaks/videos.ts';
import type { ServiceBreak } from './service-break.ts';

/** For every requirement, how a service behaves that does not hold it. */
export const REQUIREMENT_BREAKS: Readonly<Record<RequirementId, ServiceBreak>> = {
  ...MODEL_BREAKS,
  ...CREDENTIAL_BREAKS,
  ...ERROR_BREAKS,
  ...UPSTREAM_BREAKS,
  ...TEXT_BREAKS,
  ...IMAGE_BREAKS,
  ...JOB_BREAKS,
  ...VIDEO_BREAKS,
  ...ACCOUNT_BREAKS,
  ...USAGE_BREAKS,
};
