import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { collectModels } from '../app/target/offer.ts';
import { loopbackServer, sendJson, testClient } from '../client/loopback-server.test-support.ts';
import { BookArchive, readArchive } from '../pricebook/archive/archive-index.ts';
import { collectBook } from './collect-book.ts';
import { collectRequest } from './collect-request.ts';
import { collectSweep, type SweepOutcome } from './collect-sweep.ts';
import {
  type StoredRecord,
  storedRecords,
  type UsageBehaviour,
  usageGateway,
} from './usage-gateway.test-support.ts';
import { nextSweep } from './usage-store.ts';

const WINDOW = { start: 1_790_000_000, end: 1_790_003_600 };
const secondsNow = () => 1_790_010_000.5;
const closing: { close(): Promise<void> }[] = [];
let dir = '';

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'weighbridge-collect-'));
});
afterEach(async () => {
  for (const one of closing.splice(0)) await one.close();
  rmSync(dir, { recursive: true, force: true });
});

function lines(name: string): Record<string, unknown>[] {
  const path = join(dir, 'usage', `${name}.ndjson`);
  if (!existsSync(path)) return [];
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}

function sizeOf(name: string): number {
  return statSync(join(dir, 'usage', `${name}.ndjson`)).size;
}

async function clientOf(behaviour: UsageBehaviour) {
  const server = await usageGateway(behaviour);
  const client = testClient(server.root);
  closing.push(client, server);
  return { server, client };
}

async function sweep(behaviour: UsageBehaviour, window = WINDOW): Promise<SweepOutcome> {
  const { client } = await clientOf(behaviour);
  return collectSweep({ client, dir, window, sweep: 1, secondsNow });
}

/** Of the walks that count. */
function collectedIds(): unknown[] {
  const ends = lines('pages').filter((line) => line['read'] === 'sweep_end');
  const passes = ends.flatMap((line) => line['judged_passes'] as number[]);
  return lines('records')
    .filter((line) => passes.includes(line['pass'] as number))
    .map((line) => (line['record'] as StoredRecord).id);
}

describe('collectSweep', () => {
  it('brings every page, the last one too, and the totals', async () => {
    const records = storedRecords(7);
    const outcome = await sweep({ records: () => records, maxLimit: 3 });
    expect(outcome).toEqual({
      complete: true,
      proved: false,
      reasons: [],
      records: 7,
      pages: 3,
      totalsRecords: 7,
      failure: null,
    });
    expect(collectedIds()).toEqual(['u7', 'u6', 'u5', 'u4', 'u3', 'u2', 'u1']);
    expect(lines('records')[6]).toEqual({
      schema: 'weighbridge.usage-record/1',
      read_at: '2026-09-21T17:00:00.500Z',
      sweep: 1,
      by_request_id: false,
      pass: 1,
      read: 3,
      key_fp: null,
      currency: 'USD',
      record: records[6],
    });
    expect(lines('totals')).toMatchObject([{ window: WINDOW, totals: { records: 7, settled_amount: '0' } }]);
    expect(
      lines('pages').map((line) => [line['read'], line['cursor'], line['count'], line['has_more']]),
    ).toEqual([
      ['records', null, 3, true],
      ['records', '3', 3, true],
      ['records', '6', 1, false],
      ['totals', null, 7, null],
      ['sweep_end', null, 7, null],
    ]);
    expect(lines('pages').at(-1)).toMatchObject({ complete: true, reasons: [], window: WINDOW, sweep: 1 });
  });

  it('keeps window and page size on every page', async () => {
    const { server, client } = await clientOf({ records: () => storedRecords(5) });
    await collectSweep({ client, dir, window: WINDOW, sweep: 1, limit: 2, secondsNow });
    const pages = server.requests.filter((request) => request.url?.startsWith('/v1/usage/requests') === true);
    expect(pages.map((request) => request.url)).toEqual([
      '/v1/usage/requests?start_time=1790000000&end_time=1790003600&limit=2',
      '/v1/usage/requests?start_time=1790000000&end_time=1790003600&limit=2&before=2',
      '/v1/usage/requests?start_time=1790000000&end_time=1790003600&limit=2&before=4',
    ]);
  });

  it('leaves the page size to a target that refuses it', async () => {
    const { server, client } = await clientOf({ records: () => storedRecords(4), refuseLimit: true });
    const outcome = await collectSweep({ client, dir, window: WINDOW, sweep: 1, secondsNow });
    expect(outcome).toMatchObject({ complete: true, records: 4 });
    const asked = server.requests.flatMap(({ url }) => /limit=(\d+)/.exec(url ?? '')?.[1] ?? []);
    expect(asked).toEqual(['1000', '200', '100', '50']);
  });

  it('says a sweep is incomplete when a page fails, and keeps what came before it', async () => {
    const outcome = await sweep({
      records: () => storedRecords(5),
      page: (page, response) =>
        page === 2
          ? sendJson(response, 403, { error: { message: 'no', type: 't', code: 'access_denied' } })
          : null,
    });
    expect(outcome).toMatchObject({
      complete: false,
      records: 2,
      failure: { status: 403, code: 'access_denied' },
    });
    expect(outcome.reasons[0]).toMatch(/^read_failed: 1790000000–1790003600: HTTP 403 access_denied/);
    expect(lines('pages').at(-1)).toMatchObject({
      read: 'sweep_end',
      complete: false,
      reasons: outcome.reasons,
    });
    expect(collectedIds()).toEqual(['u5', 'u4']);
  });

  it.each<[string, UsageBehaviour['page']]>([
    [
      'cursor_repeated',
      (page, _, honest) =>
        page < 2 ? null : Object.assign({}, honest(), { next_cursor: '2', has_more: true }),
    ],
    [
      'empty_page_with_more',
      (page, _, honest) => (page < 2 ? null : Object.assign({}, honest(), { data: [], has_more: true })),
    ],
    [
      'cursor_missing',
      (page, _, honest) =>
        page < 2 ? null : Object.assign({}, honest(), { next_cursor: null, has_more: true }),
    ],
    ['page_repeated', (page) => ({ data: storedRecords(2), next_cursor: `c${page}`, has_more: true })],
    [
      'cursor_too_long',
      (page, _, honest) =>
        page < 2 ? null : Object.assign({}, honest(), { next_cursor: 'c'.repeat(8_193) }),
    ],
  ])('stops at %s instead of looping or skipping', async (reason, page) => {
    const outcome = await sweep({ records: () => storedRecords(5), ...(page === undefined ? {} : { page }) });
    expect(outcome.complete).toBe(false);
    expect(outcome.reasons.some((text) => text.startsWith(`${reason}:`))).toBe(true);
    expect(outcome.pages).toBeLessThanOrEqual(3);
  });

  it('follows a cursor of 8 KiB, and writes its hash', async () => {
    const outcome = await sweep({
      records: () => storedRecords(4),
      before: (url) => {
        const cursor = url.searchParams.get('before');
        if (cursor !== null) url.searchParams.set('before', cursor.replace(/c+$/, ''));
        return false;
      },
      page: (_, __, honest) => {
        const page = Object(honest());
        return page.has_more ? { ...page, next_cursor: page.next_cursor.padEnd(8_192, 'c') } : page;
      },
    });
    expect(outcome).toMatchObject({ complete: true, records: 4, pages: 2 });
    const [first, second] = lines('pages');
    expect(first?.['next_cursor']).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(second?.['cursor']).toBe(first?.['next_cursor']);
  });

  it('writes no text of a target at length but the records themselves', async () => {
    const long = 'x'.repeat(1_000_000);
    const outcome = await sweep({
      records: () => storedRecords(4),
      page: (_, __, honest) =>
        Object.assign({}, honest(), { currency: long, start_time: long, end_time: long }),
    });
    expect(outcome.records).toBe(4);
    for (const name of ['pages', 'records']) expect(sizeOf(name)).toBeLessThan(20_000);
    const id = await sweep({
      records: () => storedRecords(1),
      page: (_, __, honest) => Object.assign({}, honest(), { data: [{ id: long, created_at: 1 }] }),
    });
    expect(id.records).toBe(1);
    expect(sizeOf('pages')).toBeLessThan(40_000);
  });

  it('drops a record that overlapping pages serve twice', async () => {
    const records = storedRecords(3);
    const outcome = await sweep({
      records: () => records,
      page: (page, _, honest) =>
        page % 2 === 0 ? Object.assign({}, honest(), { data: records.slice(1) }) : null,
    });
    expect(collectedIds()).toEqual(['u3', 'u2', 'u1']);
    expect(outcome).toMatchObject({ complete: true, records: 3 });
    expect(outcome.reasons).toEqual([expect.stringMatching(/^repeated_records: 1 /)]);
  });

  it('takes a record that one page lists twice as one, as the totals do', async () => {
    const [first, second] = storedRecords(2);
    if (first === undefined || second === undefined) throw new Error('two records expected');
    const outcome = await sweep({
      records: () => [first, second],
      maxLimit: 10,
      page: (_, __, honest) => Object.assign({}, honest(), { data: [first, second, second] }),
    });
    expect(outcome).toMatchObject({ complete: true, records: 2, totalsRecords: 2, reasons: [] });
    expect(collectedIds()).toEqual(['u2', 'u1']);
  });

  it('counts equal rows without an id each for itself', async () => {
    const [first] = storedRecords(1);
    if (first === undefined) throw new Error('one record expected');
    const nameless = { ...first, id: '' };
    const outcome = await sweep({ records: () => [nameless, nameless], maxLimit: 10 });
    expect(outcome).toMatchObject({ complete: true, records: 2, totalsRecords: 2, reasons: [] });
  });

  // With 4 records in pages of 2, the first pass ends with page 3 and the second one begins with page 4.
  it.each([
    ['in one pass', [1], ['u5', 'u4', 'u3', 'u2', 'u1'], []],
    [
      'in both passes',
      [1, 4],
      ['u5', 'u4', 'u3', 'u2', 'u1'],
      [/^repeated_records/, /^totals_count_differs/],
    ],
  ])(
    'takes no record twice that an arrival has shifted over an edge %s',
    async (_, arrivals, ids, reasons) => {
      let count = 4;
      const outcome = await sweep({
        records: () => storedRecords(count),
        page: (page, _response, honest) => {
          const served = honest();
          if (arrivals.includes(page)) count += 1;
          return served;
        },
      });
      expect(collectedIds()).toEqual(ids);
      expect(outcome).toMatchObject({ complete: true, records: 5, totalsRecords: 4 + arrivals.length });
      expect(outcome.reasons).toEqual(reasons.map((reason) => expect.stringMatching(reason)));
    },
  );

  it('reads a window again when records arrived between pages and totals, and takes the second pass', async () => {
    let known = storedRecords(2);
    const outcome = await sweep({
      records: () => known,
      maxLimit: 10,
      page: (page, _, honest) => {
        const served = honest();
        if (page === 1) known = storedRecords(3);
        return served;
      },
    });
    expect(outcome).toMatchObject({ complete: true, reasons: [], records: 3, pages: 2 });
    expect(collectedIds()).toEqual(['u3', 'u2', 'u1']);
    expect(lines('totals')).toHaveLength(1);
  });

  it('reports totals that disagree twice, on a sound sweep', async () => {
    const outcome = await sweep({ records: () => storedRecords(2), totalsRecords: (count) => count + 1 });
    expect(outcome).toMatchObject({ complete: true, records: 2, totalsRecords: 3, pages: 2 });
    expect(outcome.reasons).toEqual(['totals_count_differs: 1790000000–1790003600: 2 records, totals say 3']);
  });

  it('splits a long period and finds the records of every part once', async () => {
    const window = { start: WINDOW.start, end: WINDOW.start + 70 * 86_400 };
    const spread = [0, 20, 31, 50, 69.9].map((day, index) => ({
      ...(storedRecords(1)[0] ?? { id: '', request_id: '', created_at: 0, amount: '' }),
      id: `d${index}`,
      created_at: window.start + day * 86_400,
    }));
    const outcome = await sweep({ records: () => spread }, window);
    expect(outcome).toMatchObject({ complete: true, records: 5, totalsRecords: 5 });
    expect(collectedIds().toSorted()).toEqual(['d0', 'd1', 'd2', 'd3', 'd4']);
    expect(lines('totals')).toHaveLength(3);
  });

  it('takes a line away that a crash or a full disk has torn, and ends one that is whole', async () => {
    await sweep({ records: () => storedRecords(1) });
    const path = join(dir, 'usage', 'records.ndjson');
    const before = readFileSync(path, 'utf8');
    for (const kept of [before, '']) {
      for (const torn of ['{"torn":', `{"torn":"${'x'.repeat(200_000)}`]) {
        writeFileSync(path, kept + torn);
        await sweep({ records: () => storedRecords(1) });
        expect(readFileSync(path, 'utf8')).toBe(kept + before);
      }
    }
    writeFileSync(path, before.trimEnd());
    await sweep({ records: () => storedRecords(1) });
    expect(readFileSync(path, 'utf8')).toBe(before + before);
  });
});

describe('the other reads', () => {
  it('collects the records of one request id', async () => {
    const { client } = await clientOf({ records: () => storedRecords(5) });
    const outcome = await collectRequest({
      client,
      dir,
      sweep: 2,
      requestId: 'r3',
      window: WINDOW,
      secondsNow,
    });
    expect(outcome).toEqual({ complete: true, records: 1, reasons: [], failure: null });
    expect(lines('records')).toMatchObject([{ by_request_id: true, sweep: 2, record: { id: 'u3' } }]);
    expect(lines('pages')).toMatchObject([{ read: 'request', request_id: 'r3', count: 1, has_more: false }]);
  });

  it('does not ask for a request id that the filter cannot take', async () => {
    const { server, client } = await clientOf({ records: () => [] });
    const outcome = await collectRequest({ client, dir, sweep: 1, requestId: 'x'.repeat(65), secondsNow });
    expect(outcome.complete).toBe(false);
    expect(server.requests).toHaveLength(0);
  });

  it('keeps a book as served under its hash, once, and notes each read', async () => {
    const served = '{"b": 1.50,\n"a":2}';
    const server = await loopbackServer((_, response) => sendJson(response, 200, served));
    const client = testClient(server.root);
    closing.push(client, server);
    const archive = new BookArchive(join(dir, 'archive'));
    const book = await collectBook({ client, dir, sweep: 1, secondsNow, archive });
    await collectBook({ client, dir, sweep: 1, secondsNow, archive });
    if (!book.ok) throw new Error(book.message);
    expect(readFileSync(join(dir, 'books', `${book.sha256}.json`), 'utf8')).toBe(served);
    expect(readArchive(join(dir, 'archive'))).toMatchObject([{ what: 'book', sha256: book.sha256 }]);
    expect(lines('pages').map((line) => [line['read'], line['sha256']])).toEqual([
      ['book', book.sha256],
      ['book', book.sha256],
    ]);
  });

  it('notes a model list and a failed one', async () => {
    const server = await loopbackServer((request, response) =>
      request.headers.authorization === undefined
        ? sendJson(response, 200, { object: 'list', data: [{ id: 'm' }] })
        : sendJson(response, 401, { error: { message: 'invalid token', type: 'new_api_error', code: '' } }),
    );
    const client = testClient(server.root);
    closing.push(client, server);
    await collectModels({ client, dir, sweep: 1, withKey: false, secondsNow });
    expect(await collectModels({ client, dir, sweep: 1, secondsNow })).toMatchObject({
      ok: false,
      status: 401,
    });
    expect(lines('pages')).toMatchObject([
      { read: 'models', count: 1, status: 200 },
      {
        read: 'models',
        count: null,
        status: 401,
        reasons: ['models_failed: HTTP 401 unauthorized: invalid token'],
      },
    ]);
  });

  it('numbers sweeps on', async () => {
    expect(nextSweep(dir)).toBe(1);
    await sweep({ records: () => [] });
    expect(nextSweep(dir)).toBe(2);
  });
});
