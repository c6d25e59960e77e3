import { type SecretValues, SHORTEST_SECRET } from '../../client/secrets/secret-values.ts';
import { maskCredentials } from '../../config/problem.ts';
import { WatchedFile } from './watched-file.ts';

export interface CredentialOptions {
  /** `env:NAME` or `file:PATH` with an absolute path. */
  readonly reference: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Told each value before anyone else has it; null for what is no secret, such as a user id. */
  readonly secrets: SecretValues | null;
  /** Wall clock, ms. */
  readonly now: () => number;
}

export interface CredentialReading {
  /** The last good value: a file that is gone or half written for a moment takes nothing away. */
  readonly value: string | null;
  /** What was wrong at the last look; never holds the value. */
  readonly problem: string | null;
}

const MAX_BYTES = 4_096;

/** A credential that stands in a file or in the environment, and may change there while the daemon runs. */
export class CredentialSource {
  readonly #options: CredentialOptions;
  readonly #file: WatchedFile | null;
  #reading: CredentialReading = { value: null, problem: null };

  constructor(options: CredentialOptions) {
    this.#options = options;
    const { reference, now } = options;
    this.#file = reference.startsWith('file:')
      ? new WatchedFile({ path: reference.slice('file:'.length), maxBytes: MAX_BYTES, now })
      : null;
  }

  /** Reads it where it has changed since. */
  read(): CredentialReading {
    const { reference, env } = this.#options;
    if (this.#file === null) {
      const name = reference.startsWith('env:') ? reference.slice('env:'.length) : null;
      return name === null
        ? this.#fault('a credential is given as env:NAME or file:PATH; this reference is neither (not shown)')
        : this.#take(env[name] ?? '', `the environment variable ${name}`);
    }
    const found = this.#file.read();
    if (found.kind === 'unchanged') return this.#reading;
    if (found.kind === 'problem') return this.#fault(found.problem);
    return this.#take(found.text, `the file ${maskCredentials(reference.slice('file:'.length))}`);
  }

  #take(text: string, what: string): CredentialReading {
    const { secrets } = this.#options;
    const value = text.replace(/^\uFEFF/, '').trim();
    const fault = faultOf(value, secrets !== null);
    if (fault !== null) return this.#fault(`${what} ${fault}`);
    secrets?.add(value);
    this.#reading = { value, problem: null };
    return this.#reading;
  }

  #fault(problem: string): CredentialReading {
    this.#reading = { value: this.#reading.value, problem };
    return this.#reading;
  }
}

/** A header takes visible ASCII only: anything else would fail deep inside a client, with the value in its message. */
function faultOf(value: string, isSecret: boolean): string | null {
  if (value === '') return 'is not set or empty';
  if (value.length > MAX_BYTES) return `holds more than ${MAX_BYTES} characters`;
  if (!/^[\x21-\x7e]+$/.test(value)) return 'must be one line of visible ASCII characters without spaces';
  if (isSecret && value.length < SHORTEST_SECRET) return `must hold ${SHORTEST_SECRET} characters or more`;
  return null;
}
