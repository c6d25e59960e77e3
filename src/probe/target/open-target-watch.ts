import { readFileSync } from 'node:fs';
import { readMapping } from '../../pricebook/read/mapping-file.ts';
import { pruneInThread } from '../audit/judge-thread.ts';
import { OwnCallsAudit } from '../audit/own-calls.ts';
import { ArchivedDocuments } from '../watch/archived-documents.ts';
import { BookWatch } from '../watch/book-watch.ts';
import { ModelWatch } from '../watch/model-watch.ts';
import { RecordsWatch } from '../watch/records-watch.ts';
import { type ArchivedDocument, TargetArchive } from '../watch/target-archive.ts';
import type { OpenTargetWatch } from '../watch/target-watch.ts';
import { GatewayWatch } from './gateway-watch.ts';

/**
 * Watches a target from where its archive leaves off. Throws `archive_corrupt`, `book_corrupt`, `mapping_invalid` and
 * `state_version` (exit 2).
 */
export const openTargetWatch: OpenTargetWatch = (means) => {
  const { target, metrics, billing, log, archive_dir: dir } = means;
  const earlier = new ArchivedDocuments(dir);
  const { adapter, mapping } = billing.book;
  const reader = {
    adapter,
    mapping: mapping === null ? null : readMapping(readFileSync(mapping, 'utf8'), mapping),
  };
  const failed = (error: unknown, document: ArchivedDocument): void =>
    log.error('a document could not be stored', error, { target: target.name, document });
  const prune = (now_ms: number) => pruneInThread({ dir, days: means.archive_days, now_ms });
  const archive = new TargetArchive(dir, target.name, metrics, failed, prune);
  const records = new RecordsWatch(target, metrics, earlier.pages());
  return new GatewayWatch(means, {
    archive,
    records,
    models: new ModelWatch(target, metrics, earlier.models()),
    book: new BookWatch({
      target,
      metrics,
      reader,
      group: billing.terms.group,
      earlier: earlier.book(reader),
    }),
    audit: new OwnCallsAudit(means, (requestId) => records.settledAt(requestId)),
  });
};
