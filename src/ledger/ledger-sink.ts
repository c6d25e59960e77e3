import { closeSync, ftruncateSync, mkdirSync, openSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { LedgerHeader } from '../contracts/ledger-lines.ts';
import { LEDGER_SCHEMA } from '../contracts/schema-names.ts';
import { formatInstant } from '../core/time.ts';

export interface SinkOptions {
  readonly dir: string;
  readonly run: string;
  readonly instance: string;
  readonly keyFp: string | null;
  /** Version of this package. */
  readonly version: string;
}

/** How long after a file could not be opened the next try is made, ms: a bad folder costs a call no time. */
const RETRY_MS = 1_000;

/**
 * Appends lines to a ledger file of its own, `<instance>-<n>.ndjson`; each is handed to the operating
 * system before
 * `write` returns. Throws where a line could not be written whole; no half line stays before another.
 */
export class LedgerSink {
  readonly #options: SinkOptions;
  #fd: number | null = null;
  #size = 0;
  #file = 0;
  #failure: { readonly at: number; readonly error: unknown } | null = null;

  constructor(options: SinkOptions) {
    this.#options = options;
  }

  /** Texts of the target come to it without the key. */
  write(line: object): void {
    const bytes = Buffer.from(`${JSON.stringify(line)}\n`);
    const fd = this.#fd ?? this.#open();
    this.#append(fd, bytes);
  }

  close(): void {
    if (this.#fd !== null) closeSync(this.#fd);
    this.#fd = null;
  }

  #open(): number {
    const now = performance.now();
    if (this.#failure !== null && now - this.#failure.at < RETRY_MS) throw this.#failure.error;
    try {
      mkdirSync(this.#options.dir, { recursive: true });
      // `x`: two writers of one file would tear each other's lines.
      const fd = openSync(this.#path(), 'ax', 0o600);
      this.#fd = fd;
      this.#size = 0;
      this.#append(fd, Buffer.from(`${JSON.stringify(this.#header())}\n`));
      this.#file += 1;
      this.#failure = null;
      return fd;
    } catch (error) {
      this.#failure = { at: now, error };
      throw error;
    }
  }

  #header(): LedgerHeader {
    const { run, instance, keyFp, version } = this.#options;
    return {
      schema: LEDGER_SCHEMA,
      run_id: run,
      instance,
      file: this.#file,
      segment: null,
      seed: null,
      clock: { wall: formatInstant(performance.timeOrigin + performance.now()), mono_ms: performance.now() },
      plan_hash: null,
      key_fp: keyFp,
      cores: null,
      versions: { weighbridge: version, k6: 'none', go: 'none' },
    };
  }

  #append(fd: number, bytes: Uint8Array): void {
    try {
      let written = 0;
      while (written < bytes.byteLength) written += writeSync(fd, bytes, written);
      this.#size += bytes.byteLength;
    } catch (error) {
      this.#cutBack(fd);
      throw error;
    }
  }

  /**
   * Where the half line cannot be taken back it stays the last of its file, and the next line begins
   * another.
   */
  #cutBack(fd: number): void {
    if (quietly(() => ftruncateSync(fd, this.#size)) && this.#size > 0) return;
    this.#fd = null;
    quietly(() => closeSync(fd));
    // A file without a header is none: its number is given again.
    if (this.#size === 0) quietly(() => unlinkSync(this.#path()));
  }

  #path(): string {
    return join(this.#options.dir, `${this.#options.instance}-${this.#file}.ndjson`);
  }
}

/** False where it threw. */
function quietly(act: () => void): boolean {
  try {
    act();
    return true;
  } catch {
    return false;
  }
}
