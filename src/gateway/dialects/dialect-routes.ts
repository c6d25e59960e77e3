import type { FastifyInstance } from 'fastify';
import type { WornDialect } from '../hooks/dialect.ts';
import type { DialectName, Worn } from '../hooks/worn.ts';
import { imageRoutes } from '../images/image-routes.ts';
import type { Gateway } from '../parts/gateway.ts';
import { textRoutes } from '../text/text-routes.ts';
import { videoRoutes } from '../videos/video-routes.ts';
import { LiteLlm } from './litellm/litellm.ts';
import { liteLlmReads } from './litellm/reads.ts';
import { NewApi } from './new-api/new-api.ts';
import { newApiReads } from './new-api/reads.ts';

const MAKE: Readonly<Record<DialectName, (worn: Worn) => WornDialect>> = {
  'new-api': (worn) => new NewApi(worn),
  litellm: (worn) => new LiteLlm(worn),
};

const READS: Readonly<Record<DialectName, (app: FastifyInstance, gateway: Gateway) => void>> = {
  'new-api': newApiReads,
  litellm: liteLlmReads,
};

export function dialectOf(worn: Worn): WornDialect {
  return MAKE[worn.name](worn);
}

/** All that a worn gateway serves: the paid calls in its own form, and its reads. Neither dialect has image jobs. */
export function dialectRoutes(app: FastifyInstance, gateway: Gateway, name: DialectName): void {
  textRoutes(app, gateway);
  imageRoutes(app, gateway);
  videoRoutes(app, gateway);
  READS[name](app, gateway);
}
