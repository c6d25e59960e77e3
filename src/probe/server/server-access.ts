import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { SecretValues } from '../../client/secrets/secret-values.ts';
import type { ProbeListen } from '../../contracts/probe-plan.ts';
import { CredentialSource } from '../secrets/credential-source.ts';
import { serverFileFault } from './server-faults.ts';

/** Drawn anew for each process: nobody outside knows what is compared. */
const PEPPER = randomBytes(32);

export interface AccessOptions {
  readonly auth: ProbeListen['auth'];
  readonly secrets: SecretValues;
  readonly now: () => number;
  /** Told once when the file cannot be read any more, and again when that changes. */
  readonly onProblem: (problem: string) => void;
}

/** Who may read. The token or password is read again when its file changes; while it cannot be read the last one holds. */
export class ServerAccess {
  readonly #auth: ProbeListen['auth'];
  readonly #source: CredentialSource | null;
  readonly #onProblem: (problem: string) => void;
  #told: string | null = null;

  /** Throws where there is nothing to compare with: an open server would be the worse surprise. */
  constructor({ auth, secrets, now, onProblem }: AccessOptions) {
    this.#auth = auth;
    this.#onProblem = onProblem;
    const file = auth === null ? null : auth.kind === 'bearer' ? auth.token_file : auth.password_file;
    this.#source =
      file === null ? null : new CredentialSource({ reference: `file:${file}`, env: {}, secrets, now });
    const problem = this.#source?.read().problem ?? null;
    if (problem !== null) {
      throw serverFileFault(auth?.kind === 'bearer' ? 'auth.token_file' : 'auth.password_file', problem);
    }
  }

  /** Null where the request may pass, else what to ask for. */
  refusal(authorization: string | undefined): { readonly challenge: string } | null {
    if (this.#auth === null || this.#source === null) return null;
    const { value, problem } = this.#source.read();
    if (problem !== null && problem !== this.#told) this.#onProblem(problem);
    this.#told = problem;
    const given = this.#given(authorization ?? '');
    // Both are computed and compared whatever was given.
    const wanted = this.#auth.kind === 'basic' ? `${this.#auth.user}:${value}` : (value ?? '');
    if (sameText(given ?? '', wanted) && given !== null && value !== null) return null;
    return {
      challenge:
        this.#auth.kind === 'basic'
          ? 'Basic realm="weighbridge", charset="UTF-8"'
          : 'Bearer realm="weighbridge"',
    };
  }

  #given(authorization: string): string | null {
    const match = /^(bearer|basic) +([\x21-\x7e]+) *$/i.exec(authorization);
    if (match === null || match[1]?.toLowerCase() !== this.#auth?.kind) return null;
    const text = match[2] ?? '';
    return this.#auth?.kind === 'basic' ? Buffer.from(text, 'base64').toString('utf8') : text;
  }
}

/** Takes as long for every pair of texts: their digests under an unknown key are compared. */
function sameText(left: string, right: string): boolean {
  const digest = (text: string) => createHmac('sha256', PEPPER).update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}
