import { GatewayClient } from '../../client/gateway-client.ts';
import type { ConnectionOptions } from '../../client/open-dispatcher.ts';
import { Credentials, loadCredentials, loadHeaders } from '../../config/credentials.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { PlanTarget } from '../../contracts/plan.ts';
import { embeddedTarget, mannersOf, planTarget } from '../../plan/plan-target.ts';
import {
  type EmbeddedGateway,
  type EmbeddedOptions,
  startEmbeddedGateway,
} from '../gateway/embedded-gateway.ts';
import { VERSION } from '../version/version.ts';

const READ_TIMEOUT_MS = 10_000;
const RETRY = { attempts: 3, firstWaitMs: 250, factor: 2, maxWaitMs: 60_000 };

/** The gateway that is weighed, and the credentials to do it with. */
export interface WeighedTarget {
  readonly target: PlanTarget;
  readonly credentials: Credentials;
  readonly client: GatewayClient;
  close(): Promise<void>;
}

/** Connects to the configured target, or starts the embedded gateway where none is configured. */
export async function openTarget(
  config: ResolvedConfig,
  env: Readonly<Record<string, string | undefined>>,
  embedded: EmbeddedOptions,
  signal: AbortSignal,
  runId: string,
): Promise<WeighedTarget> {
  const target = planTarget(config.target);
  if (target === null) return openEmbedded(config, embedded, signal, runId, env);
  for (const [name, value] of Object.entries(embedded)) {
    if (value === null) continue;
    throw new WeighbridgeError({
      code: 'embedded_only',
      message: `--${name} belongs to the embedded gateway, and a target is configured`,
      hint: `leave out --${name}, or leave out the target`,
    });
  }
  const credentials = loadCredentials(env, config.target.headers);
  if (!credentials.identifies) {
    throw new WeighbridgeError({
      code: 'credential_missing',
      message: 'expected an API key for the target, found none',
      hint: 'set WEIGHBRIDGE_API_KEY, or WEIGHBRIDGE_API_KEY_FILE to the path of a file that holds it',
    });
  }
  const client = clientOf(target, credentials, signal, runId, config.http);
  return { target, credentials, client, close: () => client.close() };
}

async function openEmbedded(
  config: ResolvedConfig,
  options: EmbeddedOptions,
  signal: AbortSignal,
  runId: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<WeighedTarget> {
  const headers = loadHeaders(env, config.target.headers);
  const gateway: EmbeddedGateway = await startEmbeddedGateway({ seed: config.seed, ...options });
  const { base_url: baseUrl, api_key: apiKey, access_token: accessToken, user_id: userId } = gateway.ready;
  const target = { ...embeddedTarget(baseUrl), ...mannersOf(config.target) };
  const credentials = new Credentials({ apiKey, accessToken, userId: String(userId), headers });
  const client = clientOf(target, credentials, signal, runId);
  return {
    target,
    credentials,
    client,
    async close() {
      await client.close();
      await gateway.close();
    },
  };
}

/** `signal` ends its reads; the target sees the run's id in every one. `secrets` are what else it may repeat. */
export function clientOf(
  target: Pick<PlanTarget, 'root' | 'v1' | 'api'>,
  credentials: Credentials,
  signal: AbortSignal,
  runId: string,
  connection?: ConnectionOptions,
  secrets: readonly string[] = [],
): GatewayClient {
  return new GatewayClient({
    bases: { root: target.root, v1: target.v1, api: target.api },
    apiKey: credentials.apiKey ?? undefined,
    accessToken: credentials.accessToken ?? undefined,
    userId: credentials.userId ?? undefined,
    headers: credentials.headers,
    secrets: [...credentials.secrets, ...secrets],
    timeoutMs: READ_TIMEOUT_MS,
    retry: RETRY,
    signal,
    connection,
    userAgent: `weighbridge/${VERSION} run/${runId}`,
  });
}
