import { ACCOUNT_CLAIMS } from './requirements/claims/account-claims.ts';
import { CREDENTIALS_CLAIMS } from './requirements/claims/credentials-claims.ts';
import { ERRORS_CLAIMS } from './requirements/claims/errors-claims.ts';
import { IMAGES_CLAIMS } from './requirements/claims/images-claims.ts';
import { MODELS_CLAIMS } from './requirements/claims/models-claims.ts';
import { PATHS_CLAIMS } from './requirements/claims/paths-claims.ts';
import { TEXT_CLAIMS } from './requirements/claims/text-claims.ts';
import { USAGE_CLAIMS } from './requirements/claims/usage-claims.ts';
import { VIDEOS_CLAIMS } from './requirements/claims/videos-claims.ts';

/** Every sentence of the interface that a client can see kept or broken. */
export const REQUIREMENTS = [
  ...MODELS_CLAIMS,
  ...CREDENTIALS_CLAIMS,
  ...PATHS_CLAIMS,
  ...ERRORS_CLAIMS,
  ...TEXT_CLAIMS,
  ...IMAGES_CLAIMS,
  ...VIDEOS_CLAIMS,
  ...ACCOUNT_CLAIMS,
  ...USAGE_CLAIMS,
] as const;

export type RequirementId = (typeof REQUIREMENTS)[number]['id'];
