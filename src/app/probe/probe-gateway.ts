import { Credentials } from '../../config/credentials.ts';
import type { EmbeddedTarget } from '../../config/probe-targets.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import { parseTarget } from '../../config/target-bases.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { ProbeTarget } from '../../contracts/probe-plan.ts';
import { newRunId } from '../../plan/run-id.ts';
import { cheapestModels } from '../../pricebook/charge/cheapest-models.ts';
import { startEmbeddedGateway, WELL_BEHAVED } from '../gateway/embedded-gateway.ts';
import { type Offer, offeredModels, readOfferOnce } from '../target/offer.ts';
import { clientOf } from '../target/weighed-target.ts';

/** The embedded gateway, started to be watched. */
export interface ProbedGateway {
  readonly embedded: EmbeddedTarget;
  /** Its throw-away credentials, under the names that the target refers to. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

const KEY = 'EMBEDDED_GATEWAY_API_KEY';
const TOKEN = 'EMBEDDED_GATEWAY_ACCESS_TOKEN';
const USER = 'EMBEDDED_GATEWAY_USER_ID';

/** Starts it and asks what it offers, for the models of its probes. */
export async function embeddedProbing(config: ResolvedConfig): Promise<ProbedGateway> {
  const gateway = await startEmbeddedGateway({ seed: config.seed, ...WELL_BEHAVED });
  try {
    const { base_url: url, api_key: apiKey, access_token: accessToken, user_id: userId } = gateway.ready;
    const reading = parseTarget(url);
    if ('fault' in reading) throw ownFault(reading.fault);
    const credentials = new Credentials({ apiKey, accessToken, userId: String(userId) });
    const { book, models } = await probeOffer(reading.bases, credentials, config);
    if (book === null) throw ownFault('has no price book that can be read');
    return {
      embedded: {
        bases: reading.bases,
        key: `env:${KEY}`,
        access_token: `env:${TOKEN}`,
        user_id: `env:${USER}`,
        models: cheapestModels(book, offeredModels({ book, models })),
      },
      env: { [KEY]: apiKey, [TOKEN]: accessToken, [USER]: String(userId) },
      close: () => gateway.close(),
    };
  } catch (error) {
    await gateway.close();
    throw error;
  }
}

/** Models and price book of a gateway; both reads are free. */
export async function probeOffer(
  bases: ProbeTarget['bases'],
  credentials: Credentials,
  { http, billing }: ResolvedConfig,
): Promise<Offer> {
  const client = clientOf(bases, credentials, new AbortController().signal, newRunId(Date.now()), http);
  try {
    return await readOfferOnce(client, billing);
  } finally {
    await client.close();
  }
}

function ownFault(what: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'embedded_target',
    message: `the embedded gateway ${what}`,
    hint: 'This is a fault of ours: please report it.',
  });
}
