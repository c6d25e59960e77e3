import type { Probe, ProbeTarget } from '../../contracts/probe-plan.ts';
import type { UsageWindow } from '../../contracts/usage-lines.ts';
import { isPaidKind } from '../../core/call-kind.ts';
import { SECONDS_PER_DAY } from '../../core/time.ts';
import type { ServedRecord } from '../../reconcile/records/served-record.ts';
import type { OwnCallsAudit } from '../audit/own-calls.ts';
import type { ProbeRun } from '../view/probe-run.ts';
import { AccountWatch, TotalsWatch } from '../watch/account-watch.ts';
import type { BookWatch } from '../watch/book-watch.ts';
import { inPieces } from '../watch/in-pieces.ts';
import type { ModelWatch } from '../watch/model-watch.ts';
import { eachOnce, type RecordsWatch, watchedRecords } from '../watch/records-watch.ts';
import type { TargetArchive } from '../watch/target-archive.ts';
import type { FreeRead, TargetWatch, WatchMeans } from '../watch/target-watch.ts';

export interface WatchParts {
  readonly archive: TargetArchive;
  readonly models: ModelWatch;
  readonly book: BookWatch;
  readonly records: RecordsWatch;
  readonly audit: OwnCallsAudit;
}

type ReadOf<D extends FreeRead['document']> = Extract<FreeRead, { readonly document: D }>;

/** Takes each free read of a target into metrics and archive, and makes the few reads that figures need beside them. */
export class GatewayWatch implements TargetWatch {
  readonly #means: WatchMeans;
  readonly #parts: WatchParts;
  readonly #totals: TotalsWatch;
  readonly #account: AccountWatch;
  readonly #stop = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  #target: ProbeTarget;

  constructor(means: WatchMeans, parts: WatchParts) {
    const { target, metrics } = means;
    this.#means = means;
    this.#parts = parts;
    this.#target = target;
    this.#totals = new TotalsWatch(target, metrics);
    this.#account = new AccountWatch(target.name, metrics);
  }

  async seen(read: FreeRead): Promise<void> {
    if (this.#stop.signal.aborted) return;
    const work = this.#take(read);
    this.#underWay.add(work);
    await work.finally(() => this.#underWay.delete(work));
  }

  ended({ api, model }: Probe, { error_type }: Pick<ProbeRun, 'error_type'>): void {
    if (model !== null && isPaidKind(api)) this.#parts.models.ended(model, error_type);
  }

  lists(model: string): boolean {
    return this.#parts.models.listsForKey(model);
  }

  replace(target: ProbeTarget): void {
    const { models, book, audit } = this.#parts;
    this.#target = target;
    models.replace(target);
    book.replace(target, this.#means.clock.now_ms());
    audit.replace(target);
  }

  view(): ReturnType<TargetWatch['view']> {
    return { credit_units: this.#account.credit(), audit: this.#parts.audit.view() };
  }

  async close(): Promise<void> {
    this.#stop.abort();
    await Promise.allSettled(this.#underWay);
    const { archive, models, book, records, audit } = this.#parts;
    await audit.close();
    for (const part of [archive, models, book, records, this.#totals, this.#account]) part.close();
  }

  async #take(read: FreeRead): Promise<void> {
    const { archive } = this.#parts;
    const { at_ms } = read;
    switch (read.document) {
      case 'models':
        archive.keep({ document: 'models', part: read.credential, answer: read.answer, at_ms });
        return this.#models(read);
      case 'pricebook':
        archive.keep({ document: 'pricebook', answer: read.answer, at_ms });
        return this.#book(read);
      case 'totals': {
        const content = contentOfTotals(read.answer.body);
        archive.keep({ document: 'totals', part: read.name, answer: read.answer, at_ms, content });
        return this.#usage(read);
      }
      case 'records':
        return this.#records(read);
      case 'account':
        archive.keep({ document: 'account', answer: read.answer, at_ms });
        this.#account.read(read.answer.body);
    }
  }

  #models({ credential, answer }: ReadOf<'models'>): void {
    const { models, book } = this.#parts;
    const ids = answer.body.data.map(({ id }) => id);
    const { added, removed } = models.read(credential, ids);
    if (added.length + removed.length > 0)
      this.#means.log.info('the model list has changed', { ...this.#named(), credential, added, removed });
    const listed = models.listed();
    if (listed !== null) book.listed(listed);
  }

  #book({ answer, at_ms }: ReadOf<'pricebook'>): void {
    const { differences, unreadable } = this.#parts.book.read(answer.bytes, at_ms);
    if (unreadable.length > 0)
      this.#means.log.warn('the price book cannot be read', { ...this.#named(), why: unreadable });
    if (differences.length > 0)
      this.#means.log.info('the price book has changed', {
        ...this.#named(),
        differences: differences.slice(0, 50),
      });
  }

  /** The models of the UTC day need totals that begin at its midnight. */
  async #usage({ name, answer, at_ms }: ReadOf<'totals'>): Promise<void> {
    this.#totals.read(name, answer.body);
    if (name !== '1d') return;
    const second = Math.floor(at_ms / 1000);
    const totals = await this.#totalsOf({ start: second - (second % SECONDS_PER_DAY), end: second + 1 });
    if (!this.#stop.signal.aborted) this.#totals.ofDay(totals, this.#target.watched_models);
  }

  /** Totals and records of windows that end at different moments cannot be compared: those of the records are read. */
  async #records({ name, window, pages, whole, key_fp, at_ms }: ReadOf<'records'>): Promise<void> {
    const { records, archive } = this.#parts;
    const held: (readonly ServedRecord[])[] = [];
    for await (const piece of inPieces(pages, 1))
      for (const { body } of piece) held.push(watchedRecords(body, at_ms));
    const bodies = pages.map(({ body }) => body);
    const read = { name, window, pages: bodies, records: await eachOnce(held.flat()), whole };
    const { news, counts } = await records.read(read);
    for await (const piece of inPieces([...pages.entries()], 1))
      for (const [index, answer] of piece) {
        const part = `${name}/${index + 1}`;
        const isNews = held[index]?.some(({ key }) => news.has(key)) ?? false;
        archive.keep({ document: 'records', part, key_fp, answer, at_ms, news: isNews });
      }
    if (counts.changed + counts.vanished > 0)
      this.#means.log.warn('settled records have changed or vanished', { ...this.#named(), ...counts });
    const totals = whole ? await this.#totalsOf(window) : null;
    if (!this.#stop.signal.aborted) records.drift(read, totals);
  }

  async #totalsOf(window: UsageWindow): Promise<unknown> {
    const client = this.#means.reads(this.#stop.signal);
    if (client === null) return null;
    try {
      const result = await client.usageTotals({ window });
      return result.ok ? result.body : null;
    } finally {
      await client.close();
    }
  }

  #named(): { readonly target: string } {
    return { target: this.#target.name };
  }
}

/** Without the window that was asked for. */
function contentOfTotals(body: Readonly<Record<string, unknown>>): string {
  const { start_time: _start, end_time: _end, ...told } = body;
  return JSON.stringify(told);
}
