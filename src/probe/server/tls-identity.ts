import { createSecureContext } from 'node:tls';
import type { ProbeListen } from '../../contracts/probe-plan.ts';
import { WatchedFile } from '../secrets/watched-file.ts';
import { serverFileFault } from './server-faults.ts';

export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

const MAX_BYTES = 262_144;

/** The server's certificate and key, read again when either file changes. */
export class TlsIdentity {
  readonly #cert: WatchedFile;
  readonly #key: WatchedFile;
  readonly #onProblem: (problem: string) => void;
  #texts: TlsPair = { cert: '', key: '' };

  constructor(
    files: NonNullable<ProbeListen['tls']>,
    now: () => number,
    onProblem: (problem: string) => void,
  ) {
    this.#cert = new WatchedFile({ path: files.cert_file, maxBytes: MAX_BYTES, now });
    this.#key = new WatchedFile({ path: files.key_file, maxBytes: MAX_BYTES, now });
    this.#onProblem = onProblem;
  }

  /** Throws where they cannot be used. */
  first(): TlsPair {
    const cert = this.#cert.read();
    if (cert.kind === 'problem') throw serverFileFault('tls.cert_file', cert.problem);
    const key = this.#key.read();
    if (key.kind === 'problem') throw serverFileFault('tls.key_file', key.problem);
    if (cert.kind === 'text' && key.kind === 'text') this.#texts = { cert: cert.text, key: key.text };
    const problem = pairProblem(this.#texts);
    if (problem !== null) throw serverFileFault('tls', problem);
    return this.#texts;
  }

  /**
   * The pair where it has changed and can be used, else null. Files that are replaced one after the other do not belong
   * together in between: the old pair goes on until they do.
   */
  changed(): TlsPair | null {
    const cert = this.#cert.read();
    const key = this.#key.read();
    for (const found of [cert, key]) if (found.kind === 'problem') this.#onProblem(found.problem);
    const next = {
      cert: cert.kind === 'text' ? cert.text : this.#texts.cert,
      key: key.kind === 'text' ? key.text : this.#texts.key,
    };
    if (next.cert === this.#texts.cert && next.key === this.#texts.key) return null;
    this.#texts = next;
    const problem = pairProblem(next);
    if (problem !== null) this.#onProblem(`${problem}; the one before stays in use`);
    return problem === null ? next : null;
  }
}

/** The library's message is left out: it may quote what it read. */
function pairProblem(pair: TlsPair): string | null {
  try {
    createSecureContext({ ...pair, minVersion: 'TLSv1.2' });
    return null;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    return `the certificate and the key cannot be used together (${code})`;
  }
}
