import type { SecretValues } from '../../client/secrets/secret-values.ts';
import { type HeaderValues, headerValues } from '../../config/header-values.ts';
import type { ProbeTarget } from '../../contracts/probe-plan.ts';
import { CredentialSource } from '../secrets/credential-source.ts';

const CREDENTIAL_NAMES = ['key', 'access_token', 'user_id'] as const;
export type CredentialName = (typeof CREDENTIAL_NAMES)[number] | 'headers';

/** The newest: a key may be replaced every hour, and each call looks for all of them. */
const MOST_KNOWN = 8;

interface CredentialMeans {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly secrets: SecretValues;
  /** Wall clock, ms. */
  readonly now: () => number;
  /** After each look: whether it could be read, and what is wrong where that is new. */
  readonly looked: (name: CredentialName, problem: string | null, isNew: boolean) => void;
}

/** The credentials of a target, read again where their files changed. */
export class TargetCredentials {
  readonly #means: CredentialMeans;
  #headers: ProbeTarget['headers'] = {};
  readonly #sources = new Map<CredentialName, { reference: string; source: CredentialSource }>();
  readonly #told = new Map<CredentialName, string | null>();
  readonly #known = new Set<string>();

  constructor(target: ProbeTarget, means: CredentialMeans) {
    this.#means = means;
    this.replace(target);
  }

  /** References that did not change keep their last good value. */
  replace(target: ProbeTarget): void {
    const { env, secrets, now } = this.#means;
    this.#headers = target.headers;
    for (const name of CREDENTIAL_NAMES) {
      const reference = target[name];
      if (reference === null) this.#sources.delete(name);
      else if (this.#sources.get(name)?.reference !== reference) {
        const kept = name === 'user_id' ? null : secrets;
        this.#sources.set(name, {
          reference,
          source: new CredentialSource({ reference, env, secrets: kept, now }),
        });
      }
    }
  }

  /** Null where there is none, or none that was ever read. */
  read(name: Exclude<CredentialName, 'headers'>): string | null {
    const known = this.#sources.get(name);
    if (known === undefined) return null;
    const { value, problem } = known.source.read();
    this.#tell(name, problem);
    if (value !== null && name !== 'user_id') this.#remember(value);
    return value;
  }

  /** The headers of each request; one that cannot be read now is left out, and said. */
  headers(): HeaderValues['values'] {
    if (Object.keys(this.#headers).length === 0) return {};
    let fault: string | null = null;
    const { values, secrets } = headerValues(this.#headers, this.#means.env, (at, rule) => {
      fault ??= `${at} ${rule}`;
      return null;
    });
    this.#tell('headers', fault);
    for (const secret of secrets) {
      this.#means.secrets.add(secret);
      this.#remember(secret);
    }
    return values;
  }

  #tell(name: CredentialName, problem: string | null): void {
    const isNew = problem !== (this.#told.get(name) ?? null);
    this.#told.set(name, problem);
    this.#means.looked(name, problem, isNew);
  }

  /** All secrets that are known, to be kept out of texts, those that were replaced too: a target may still repeat them. */
  secrets(): readonly string[] {
    this.read('key');
    this.read('access_token');
    this.headers();
    return [...this.#known];
  }

  #remember(secret: string): void {
    this.#known.delete(secret);
    this.#known.add(secret);
    const [oldest] = this.#known;
    if (this.#known.size > MOST_KNOWN && oldest !== undefined) this.#known.delete(oldest);
  }
}
