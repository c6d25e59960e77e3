import { createHash } from 'node:crypto';
import { linkSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PERIOD_SCHEMA } from '../../src/contracts/audit-period.ts';
import { READ_DEFAULTS, READ_SCHEMA, type ReadLine } from '../../src/contracts/usage-lines.ts';
import { BOOK, READ_AT, START_MS } from './world.ts';

/** The files of a world as the folder of an audit that has read everything: what `reconcile --run` judges again. */
export function worldFolder(dir: string): string {
  const folder = join(dir, 'audit');
  for (const name of ['evidence', 'usage', 'books']) mkdirSync(join(folder, name), { recursive: true });
  const start = START_MS / 1000 - 60;
  const end = Date.parse(READ_AT) / 1000;
  const write = (name: string, content: object): void =>
    writeFileSync(join(folder, name), `${JSON.stringify(content)}\n`);
  write('period.json', {
    schema: PERIOD_SCHEMA,
    run_id: 'bench',
    target: {
      name: 'bench',
      root: 'http://127.0.0.1',
      v1: 'http://127.0.0.1/v1',
      api: 'http://127.0.0.1/api',
      embedded: false,
      key: 'exclusive',
    },
    start: new Date(start * 1000).toISOString(),
    end: new Date(end * 1000).toISOString(),
    keys: [],
  });
  write('evidence.json', {
    schema: 'weighbridge.kept-evidence/1',
    format: 'weighbridge',
    files: ['0-calls.ndjson'],
    columns: null,
  });
  linkSync(join(dir, 'calls.ndjson'), join(folder, 'evidence/0-calls.ndjson'));
  linkSync(join(dir, 'records.ndjson'), join(folder, 'usage/records.ndjson'));
  const swept: ReadLine = {
    ...READ_DEFAULTS,
    schema: READ_SCHEMA,
    read: 'sweep_end',
    read_at: READ_AT,
    sweep: 1,
    window: { start, end },
    request_id: null,
    cursor: null,
    next_cursor: null,
    has_more: null,
    count: null,
    status: 200,
    sha256: null,
    complete: true,
    reasons: [],
  };
  write('usage/pages.ndjson', swept);
  const book = JSON.stringify(BOOK);
  writeFileSync(join(folder, `books/${createHash('sha256').update(book).digest('hex')}.json`), book);
  return folder;
}
