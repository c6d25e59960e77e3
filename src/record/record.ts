import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { jsonOf } from '../text/json-of.ts';
import { asName, asObject } from '../wire/json-fields.ts';
import { type RecordCounts, Recorder } from './recorder.ts';
import { fingerprintOfKey, isFingerprint } from './request-key.ts';

export type { RecordCounts } from './recorder.ts';
export { fingerprintOfKey as fingerprintOf };

export interface RecordOptions {
  /** Folder of the ledger; it is made where it does not exist. Each process writes files of its own in it. */
  readonly dir: string;
  /** First 16 hex digits of the API key's SHA-256. Default: that of the key which each request carries. */
  readonly keyFp?: string;
  /**
   * What the files of a ledger have in common; ledgers of different runs are not read together. Default:
   * `recorded`.
   */
  readonly run?: string;
  /** Hears of every failure of the recording itself. What it throws is dropped. */
  readonly onError?: (error: unknown) => void;
}

export interface WeighedFetch {
  (input: string | URL | Request, init?: RequestInit): Promise<Response>;
  /** What was written so far, and what was not. */
  readonly counts: RecordCounts;
}

export interface Weighed {
  /** The `fetch` of this process, with rows. */
  (options: RecordOptions): WeighedFetch;
  /** Another `fetch`, with rows: one with a proxy, a dispatcher or a cache of its own. */
  wrap(inner: typeof fetch, options: RecordOptions): WeighedFetch;
}

/**
 * A `fetch` for the official SDKs that writes one ledger row for each paid call. The intent of a call is
 * handed to the
 * operating system before the call is sent, its row when the body of the answer ends, is given up or
 * breaks. Nothing
 * that fails here reaches the call: it is counted and told to `onError`.
 */
export const weighed: Weighed = Object.assign(
  (options: RecordOptions): WeighedFetch => wrap((input, init) => globalThis.fetch(input, init), options),
  { wrap },
);

function wrap(inner: typeof fetch, options: RecordOptions): WeighedFetch {
  const { dir, keyFp, run = 'recorded', onError } = options;
  // Who gives the key itself here must not find it in a file.
  const fingerprint = keyFp !== undefined && isFingerprint(keyFp) ? keyFp : null;
  const recorder = new Recorder({
    dir,
    run,
    instance: `r${process.pid}-${randomBytes(4).toString('hex')}`,
    keyFp: fingerprint,
    version: ownVersion(),
    onError: onError ?? null,
  });
  if (keyFp !== undefined && fingerprint === null)
    recorder.failed(
      new Error('keyFp: expected 16 hex digits, and makes the fingerprint of each request itself now'),
    );
  return Object.assign(
    (input: string | URL | Request, init?: RequestInit) => recorder.fetch(inner, input, init),
    {
      counts: recorder.counts,
    },
  );
}

function ownVersion(): string {
  try {
    const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
    return asName(asObject(jsonOf(text))?.['version']) ?? 'unknown';
  } catch {
    return 'unknown';
  }
}
