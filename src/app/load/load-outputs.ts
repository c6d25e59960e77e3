import { SecretValues } from '../../client/secrets/secret-values.ts';
import type { ResolvedMetrics } from '../../config/resolved-config.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { CredentialSource } from '../../probe/secrets/credential-source.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** Where k6 sends its samples beside the ledger. */
export interface LoadOutputs {
  /** As its `--out` takes them. */
  readonly outputs: readonly string[];
  /** What they need of the environment; holds secrets. */
  readonly env: Env;
}

const REMOTE_WRITE = 'experimental-prometheus-rw';
const LEDGER = 'weighbridge';

/**
 * The remote write of the configuration, and the outputs of K6_OUT: an `--out` would otherwise replace them. What the environment
 * says in k6's own variables wins over the configuration. Throws `credential_missing` (exit 2) before anything is sent.
 */
export function loadOutputs({ remote_write: write }: ResolvedMetrics, env: Env): LoadOutputs {
  const asked = (env['K6_OUT'] ?? '').split(',').filter((out) => out !== '' && nameOf(out) !== LEDGER);
  if (write === null) return { outputs: asked, env: {} };
  const own = [
    ['K6_PROMETHEUS_RW_SERVER_URL', write.url],
    ['K6_PROMETHEUS_RW_USERNAME', write.username],
    ['K6_PROMETHEUS_RW_PASSWORD', secretOf('password', write.password, env)],
    ['K6_PROMETHEUS_RW_BEARER_TOKEN', secretOf('bearer_token', write.bearer_token, env)],
  ] as const;
  return {
    outputs: asked.some((out) => nameOf(out) === REMOTE_WRITE) ? asked : [...asked, REMOTE_WRITE],
    env: Object.fromEntries(
      own.flatMap(([name, value]) => (value === null || (env[name] ?? '') !== '' ? [] : [[name, value]])),
    ),
  };
}

function nameOf(output: string): string {
  return output.split('=', 1)[0] ?? '';
}

function secretOf(key: string, reference: string | null, env: Env): string | null {
  if (reference === null) return null;
  const source = new CredentialSource({ reference, env, secrets: new SecretValues(), now: Date.now });
  const { value, problem } = source.read();
  if (problem === null) return value;
  throw new WeighbridgeError({
    code: 'credential_missing',
    message: `metrics.remote_write.${key}: ${problem}`,
    hint: 'Set the variable or the file that the configuration names.',
  });
}
