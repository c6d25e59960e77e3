import { createHash } from 'node:crypto';
import type { ReadOk } from '../../client/read-result.ts';
import { ARCHIVED_DOCUMENTS } from '../../contracts/metrics/label-values.ts';
import { formatInstant } from '../../core/time.ts';
import { type ArchiveStretch, BookArchive } from '../../pricebook/archive/archive-index.ts';
import type { ProbeMetricsRegistry } from '../metrics/probe-metrics-registry.ts';

export type ArchivedDocument = (typeof ARCHIVED_DOCUMENTS)[number];

export interface Kept {
  readonly document: ArchivedDocument;
  /** Which of several of its kind: a credential, a window, a page. */
  readonly part?: string;
  /** Fingerprint of the API key that it was read with. */
  readonly key_fp?: string | null;
  readonly answer: Pick<ReadOk<unknown>, 'bytes' | 'sha256' | 'masked'>;
  readonly at_ms: number;
  /**
   * What of the document must be other than before to be stored anew: totals and pages repeat the window that was asked
   * for, which moves with every read. Default: all its bytes.
   */
  readonly content?: string;
  /** False: all that it holds was stored before. */
  readonly news?: boolean;
}

const WRITTEN = 'weighbridge_archive_last_write_timestamp_seconds';
const FAILED = 'weighbridge_archive_write_failures_total';

/** Stores documents as served, under their hash: when they change, and at least once a UTC day. Once a day old ones go. */
export class TargetArchive {
  readonly #archive: BookArchive;
  readonly #prune: (now_ms: number) => Promise<void>;
  #prunedOn = '';
  readonly #target: string;
  readonly #metrics: ProbeMetricsRegistry;
  readonly #failed: (error: unknown, document: ArchivedDocument) => void;
  /** By document and part: what was stored last, and on which day. */
  readonly #stored = new Map<string, { readonly day: string; readonly content: string | null }>();

  /** `prune` takes away what is too old. */
  constructor(
    dir: string,
    target: string,
    metrics: ProbeMetricsRegistry,
    failed: (error: unknown, document: ArchivedDocument) => void,
    prune: (now_ms: number) => Promise<void>,
  ) {
    this.#archive = new BookArchive(dir);
    this.#prune = prune;
    this.#target = target;
    this.#metrics = metrics;
    this.#failed = failed;
    metrics.precreate(
      FAILED,
      ARCHIVED_DOCUMENTS.map((document) => ({ target, document })),
    );
  }

  /** True where it was stored now. A disk that takes nothing is counted, and tried again at the next read. */
  keep({ document, part, key_fp, answer, at_ms, content, news }: Kept): boolean {
    const at = formatInstant(at_ms);
    const key = JSON.stringify([document, part ?? null, key_fp ?? null]);
    const before = this.#stored.get(key);
    const state = { day: at.slice(0, 10), content: content === undefined ? null : digestOf(content) };
    const same = news === false || (state.content !== null && before?.content === state.content);
    if (same && before?.day === state.day) return false;
    const what: ArchiveStretch['what'] = document === 'pricebook' ? 'book' : document;
    const { sha256, masked, bytes } = answer;
    const labels = { target: this.#target, document };
    try {
      const written = this.#archive.see({
        what,
        ...(part === undefined ? {} : { part }),
        ...(key_fp === undefined ? {} : { key_fp }),
        sha256,
        masked,
        at,
        content: bytes,
      });
      this.#stored.set(key, state);
      if (written) this.#metrics.set(WRITTEN, labels, at_ms / 1000);
      this.#pruneDaily(document, at_ms, state.day);
      return written;
    } catch (error) {
      this.#notDone(error, document);
      return false;
    }
  }

  /** Not waited for: nobody reads what is too old. */
  #pruneDaily(document: ArchivedDocument, now_ms: number, day: string): void {
    if (this.#prunedOn === day) return;
    this.#prunedOn = day;
    this.#prune(now_ms).catch((error) => this.#notDone(error, document));
  }

  #notDone(error: unknown, document: ArchivedDocument): void {
    this.#metrics.inc(FAILED, { target: this.#target, document });
    this.#failed(error, document);
  }

  close(): void {
    try {
      this.#archive.close();
    } catch (error) {
      // The stretches under way end earlier than they did, which is not wrong.
      this.#failed(error, 'pricebook');
    }
    for (const name of [WRITTEN, FAILED] as const) this.#metrics.remove(name, { target: this.#target });
  }
}

function digestOf(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}
