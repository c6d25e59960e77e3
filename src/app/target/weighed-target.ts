import { GatewayClient, type GatewayClientOptions } from '../../client/gateway-client.ts';
import type { ConnectionOptions } from '../../client/open-dispatcher.ts';
import { Credentials, loadCredentials, loadHeaders } from '../../config/credentials.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { PlanTarget } from '../../contracts/plan.ts';
import { embeddedTarget, mannersOf, planTarget } from '../../plan/plan-target.ts';
import type { KeyReader } from '../evidence/settle.ts';
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
  /** One for each key; the first has `client`. */
  readonly readers: readonly [KeyReader, ...KeyReader[]];
  close(): Promise<void>;
}

/** Connects to the configured target, or starts the embedded gateway where none is configured. */
export async function openTarget(
  config: ResolvedConfig,
  env: Readonly<Record<string, string | undefined>>,
  embedded: EmbeddedOptions,
  signal: AbortSignal,
  runId: string,
  keyFiles: readonly string[] = [],
): Promise<WeighedTarget> {
  const target = planTarget(config.target);
  if (target === null) {
    if (keyFiles.length > 0) throw keysWithoutTarget();
    return openEmbedded(config, embedded, signal, runId, env);
  }
  for (const [name, value] of Object.entries(embedded)) {
    if (value === null) continue;
    throw new WeighbridgeError({
      code: 'embedded_only',
      message: `--${name} works only with the embedded gateway, and a target is configured.`,
      hint: `Leave out --${name}, or leave out the target.`,
    });
  }
  const credentials = loadCredentials(env, { keyFiles, headers: config.target.headers });
  // Whether a key is needed shows when the target is read.
  const readers = readersOf(credentials.byKey, (each) =>
    clientOf(target, each, signal, runId, config.http, {
      secrets: credentials.secrets,
      keyless: true,
      dialect: config.target.dialect,
    }),
  );
  return {
    target,
    credentials,
    client: readers[0].client,
    readers,
    close: () => closeReaders(readers),
  };
}

/** A client for each key. A run of one key needs no name on its reads. */
export function readersOf(
  [first, ...rest]: readonly [Credentials, ...Credentials[]],
  clientFor: (credentials: Credentials) => GatewayClient,
): readonly [KeyReader, ...KeyReader[]] {
  if (rest.length === 0) return [{ client: clientFor(first) }];
  const readerOf = (each: Credentials): KeyReader => ({
    client: clientFor(each),
    keyFp: each.keyFp ?? undefined,
  });
  return [readerOf(first), ...rest.map(readerOf)];
}

export async function closeReaders(readers: readonly KeyReader[]): Promise<void> {
  for (const { client } of readers) await client.close();
}

function keysWithoutTarget(): WeighbridgeError {
  return new WeighbridgeError({
    code: 'key_file_without_target',
    message: '--key-file needs a target, and none is configured. The embedded gateway makes its own key.',
    hint: 'Give the target with --target, or leave out --key-file.',
  });
}

export function credentialMissing(): WeighbridgeError {
  return new WeighbridgeError({
    code: 'credential_missing',
    message: 'The target needs an API key, and none is set.',
    hint: 'Set WEIGHBRIDGE_API_KEY, or set WEIGHBRIDGE_API_KEY_FILE to the path of a file with the key.',
  });
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
    readers: [{ client }],
    async close() {
      await client.close();
      await gateway.close();
    },
  };
}

/** `signal` ends its reads; the target sees the run's id in every one. */
export function clientOf(
  target: Pick<PlanTarget, 'root' | 'v1' | 'api'>,
  credentials: Credentials,
  signal: AbortSignal,
  runId: string,
  connection?: ConnectionOptions,
  more: Pick<GatewayClientOptions, 'secrets' | 'keyless' | 'dialect'> = {},
): GatewayClient {
  return new GatewayClient({
    bases: { root: target.root, v1: target.v1, api: target.api },
    apiKey: credentials.apiKey ?? undefined,
    accessToken: credentials.accessToken ?? undefined,
    userId: credentials.userId ?? undefined,
    headers: credentials.headers,
    dialect: 'auto',
    ...more,
    secrets: [...credentials.secrets, ...(more.secrets ?? [])],
    timeoutMs: READ_TIMEOUT_MS,
    retry: RETRY,
    signal,
    connection,
    userAgent: `weighbridge/${VERSION} run/${runId}`,
  });
}
