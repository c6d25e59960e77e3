import { SecretValues } from '../../client/secrets/secret-values.ts';
import { Credentials } from '../../config/credentials.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { ProbePlan, ProbeTarget } from '../../contracts/probe-plan.ts';
import { type CredentialReading, CredentialSource } from '../../probe/secrets/credential-source.ts';
import { watchedTargets } from './watched-lines.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** What is wrong with the credentials that a plan refers to, one line each. */
export function missingCredentials(plan: ProbePlan, env: Env): string[] {
  return plan.targets.flatMap((target) =>
    (['key', 'access_token', 'user_id'] as const).flatMap((which) => {
      const { value, problem } = readCredential(target, which, env);
      if (problem !== null) return [`${which} of ${target.name}: ${problem}`];
      // An API key never opens the account; its beginning tells it.
      const swapped = which === 'access_token' && value?.startsWith('sk-') === true;
      return swapped ? [`${which} of ${target.name}: starts with sk- as API keys do`] : [];
    }),
  );
}

/** The credentials of a target as they are now; what is missing is null. */
export function credentialsOf(target: ProbeTarget, env: Env): Credentials {
  return new Credentials({
    apiKey: readCredential(target, 'key', env).value,
    accessToken: readCredential(target, 'access_token', env).value,
    userId: readCredential(target, 'user_id', env).value,
  });
}

function readCredential(
  target: ProbeTarget,
  which: 'key' | 'access_token' | 'user_id',
  env: Env,
): CredentialReading {
  const reference = target[which];
  if (reference === null) return { value: null, problem: null };
  const secrets = which === 'user_id' ? null : new SecretValues();
  return new CredentialSource({ reference, env, secrets, now: Date.now }).read();
}

/** Throws `credential_missing` (exit 2) before anything is asked. */
export function requireCredentials(plan: ProbePlan, env: Env): void {
  const missing = missingCredentials(plan, env);
  if (missing.length === 0) return;
  throw new WeighbridgeError({
    code: 'credential_missing',
    message: missing.join('\n'),
    hint: 'set the variables and files that the configuration names',
  });
}

/** That the configuration holds, and what of it is not there to be used. */
export function checkedLines(plan: ProbePlan, missing: readonly string[]): string[] {
  const targets = watchedTargets(plan);
  return [
    'the configuration holds',
    ...(targets.length === 0 ? ['no target: the embedded gateway will be started and watched'] : targets),
    ...missing.map((line) => `note: not there now: ${line}`),
  ];
}
