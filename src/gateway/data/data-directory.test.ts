import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as z from 'zod';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { AccountRegistry } from '../account/account-registry.ts';
import { ChargeLedger } from '../charging/charge-ledger.ts';
import { RecordStore } from '../charging/record-store.ts';
import { NO_TOKENS } from '../events/charge-record.ts';
import { chatBody, startTestGateway, type TestGateway } from '../parts/gateway.test-support.ts';
import { BooksFile } from './books-file.ts';
import { BooksState } from './books-state.ts';
import { DataDirectory } from './data-directory.ts';
import { editBooks } from './edit-books.test-support.ts';

const USD = 10n ** 12n;
const BOOK = { pricebook_id: 'pb_test', pricing_version: 'v1' };
const NOW = 1_800_000_000;
const DONE = { usage: NO_TOKENS, result: 'completed', estimated: false } as const;

let folder: string;
let books: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'weighbridge-data-'));
  books = join(folder, 'books.ndjson');
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** The books of the directory as a start makes them. */
function open() {
  const data = new DataDirectory(folder);
  try {
    const records = new RecordStore();
    const registry = new AccountRegistry(data);
    const ledger = new ChargeLedger(records, BOOK, data);
    const state = new BooksState({ registry, ledger, records });
    const restored = data.restore(state, NOW);
    return { data, records, registry, ledger, state, restored };
  } catch (error) {
    data.close();
    throw error;
  }
}

type Opened = ReturnType<typeof open>;

let requests = 0;
function reserve({ ledger, registry }: Opened, reserved: bigint) {
  const key = registry.keyOfOrdinal(1);
  if (key === null) throw new Error('there is no key');
  requests += 1;
  return ledger.reserve({ requestId: `q${requests}`, createdAt: NOW, key, model: 'm', reserve: reserved });
}

function settle(opened: Opened, amount: bigint): void {
  opened.ledger.settle(reserve(opened, 2n * amount), { amount, ...DONE });
}

/** A directory with an account of 10 USD, a key, and what is done before the end. */
function make(act: (opened: Opened) => void = () => {}): void {
  const opened = open();
  const { account } = opened.registry.addAccount({ balance: 10n * USD });
  opened.registry.addKey({
    account,
    limit: 8n * USD,
    models: ['m'],
    rate: { requests: 9, per_ms: 8, concurrent: 7 },
  });
  act(opened);
  opened.data.close();
}

function failureOf(act: () => unknown): WeighbridgeError {
  try {
    act();
  } catch (error) {
    if (error instanceof WeighbridgeError) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** Everything that the books hold. */
function contentOf({ registry, records, state }: Opened) {
  return { accounts: [...registry.state()], records: [...records.all()], open: state.openCharges() };
}

describe('a replay', () => {
  test('gives accounts, keys, credits, tokens, blocks, records and balances back', () => {
    let before: object = {};
    make((opened) => {
      const { registry, ledger } = opened;
      const account = registry.account(1001);
      const key = registry.keyOfOrdinal(1);
      if (account === null || key === null) throw new Error('there is no account');
      registry.addCredit(account, 5n * USD, 'rcpt_a');
      registry.regenerateToken(account);
      settle(opened, USD);
      ledger.refund(reserve(opened, USD), 'cancelled');
      const again = reserve(opened, 4n * USD);
      ledger.settle(again, { amount: 4n * USD, ...DONE });
      ledger.book(key, again.record);
      ledger.amend(again, { amount: 3n * USD });
      ledger.leak(key, 7n);
      registry.blockKey(key, true);
      registry.addCredit(account, -20n * USD);
      registry.blockAccount(registry.addAccount({ balance: 0n }).account, true);
      before = contentOf(opened);
    });
    const after = open();
    expect(contentOf(after)).toEqual(before);
    expect(after.records.size).toBe(4);
    expect(after.registry.account(1001)).toMatchObject({ balance: -13n * USD, used: 8n * USD, reserved: 7n });
    after.data.close();
  });

  test('record ids and key ordinals go on where they stopped', () => {
    make((opened) => settle(opened, 1n));
    const opened = open();
    expect(reserve(opened, 1n).record.id).toBe('rec_000000000002');
    const account = opened.registry.account(1001);
    if (account === null) throw new Error('there is no account');
    expect(opened.registry.addKey({ account }).key.ordinal).toBe(2);
    expect(opened.registry.addAccount({ balance: 0n }).account.id).toBe(1002);
    opened.data.close();
  });

  test('an event is in the file before its caller goes on, so that a kill loses nothing that was answered', () => {
    make((opened) => {
      const lines = () => readFileSync(books, 'utf8').trimEnd().split('\n').length;
      const before = lines();
      const open = reserve(opened, 2n * USD);
      expect(lines()).toBe(before + 1);
      opened.ledger.settle(open, { amount: USD, ...DONE });
      expect(lines()).toBe(before + 2);
    });
  });

  test('texts of keys and tokens are nowhere but in the credentials', () => {
    const secrets: string[] = [];
    make(({ registry }) => {
      const { account, accessToken } = registry.addAccount({ balance: 0n });
      secrets.push(accessToken, registry.addKey({ account }).text, registry.regenerateToken(account));
    });
    const written = readFileSync(books, 'utf8');
    expect(secrets.filter((secret) => written.includes(secret))).toEqual([]);
    expect(statSync(join(folder, 'credentials.json')).mode & 0o777).toBe(0o600);
    expect(statSync(books).mode & 0o777).toBe(0o600);
  });
});

describe('a broken file', () => {
  test('a last line without an end is taken away, said, and has not happened', () => {
    make((opened) => settle(opened, USD));
    const whole = readFileSync(books, 'utf8');
    const last = whole.trimEnd().split('\n').at(-1) ?? '';
    // All of the line but its end: an event that would be read if it were taken.
    writeFileSync(books, whole.slice(0, -1));
    const opened = open();
    expect(opened.restored.notes).toEqual([
      `${books}: the last line had no end (${last.length} bytes) and was taken away`,
    ]);
    expect([...opened.records.all()]).toMatchObject([{ status: 'pending' }]);
    opened.ledger.refund(opened.state.openCharges()[0] ?? reserve(opened, 1n), 'failed');
    opened.data.close();
    const again = open();
    expect(again.restored.notes).toEqual([]);
    expect([...again.records.all()]).toMatchObject([{ status: 'refunded' }]);
    again.data.close();
  });

  test.each([
    ['no JSON', '{"type":}', 'found: "{'],
    ['no event', '{"type":"hold","key":1,"held":"1.5"}', 'found: "{'],
    ['an event of an unknown key', '{"type":"hold","key":9,"held":"1"}', 'there is no key 9'],
  ])(
    'a line in the middle that is %s is refused with file and line, and nothing is changed',
    (_, line, found) => {
      make((opened) => settle(opened, USD));
      editBooks(books, (lines) => lines.toSpliced(3, 0, line));
      const edited = readFileSync(books, 'utf8');
      const failure = failureOf(open);
      expect(failure).toMatchObject({ code: 'data_corrupt', exitCode: 2 });
      expect(failure.message).toContain(`line 4 of ${books}`);
      expect(failure.message).toContain(found);
      expect(readFileSync(books, 'utf8')).toBe(edited);
      expect(existsSync(join(folder, 'lock'))).toBe(false);
    },
  );

  test('a record that comes twice is refused', () => {
    make((opened) => settle(opened, USD));
    editBooks(books, (lines) => [...lines, lines[3] ?? '']);
    expect(failureOf(open).message).toContain('record rec_000000000001 came twice');
  });

  /** The third and fourth lines reserve and settle; links are made anew, so that only the sense of a line is at stake. */
  test.each<[string, (lines: readonly string[]) => readonly string[], number, string]>([
    [
      'a settlement twice',
      (lines) => [...lines, lines[4] ?? ''],
      6,
      'moves the credit by held -2000000000000',
    ],
    [
      'another amount',
      (lines) => lines.map((line) => line.replace('"amount":"1000000000000"', '"amount":"9000000000000"')),
      5,
      'where its change comes to held -2000000000000, spent 9000000000000',
    ],
    [
      'a negative amount',
      (lines) => lines.map((line) => line.replace('"amount":"1000000000000"', '"amount":"-1000000000000"')),
      5,
      'spent -1000000000000',
    ],
    [
      'another effect',
      (lines) => lines.map((line) => line.replace('"spent":"1000000000000"', '"spent":"9000000000000"')),
      5,
      'moves the credit by held -2000000000000, spent 9000000000000',
    ],
    ['no reserve', (lines) => lines.toSpliced(3, 1), 4, 'no record rec_000000000001'],
    [
      'a reserve below nothing',
      (lines) => lines.map((line) => line.replaceAll('"2000000000000"', '"-2000000000000"')),
      4,
      'begins as pending with amount 0, reserved -2000000000000',
    ],
    [
      'credit held back below nothing',
      (lines) => [...lines, '{"type":"hold","key":1,"held":"-1"}'],
      6,
      'credit of -1 is held back',
    ],
  ])('%s is refused with its line', (_, edit, line, found) => {
    make((opened) => settle(opened, USD));
    editBooks(books, edit);
    const failure = failureOf(open);
    expect(failure).toMatchObject({ code: 'data_corrupt', exitCode: 2 });
    expect(failure.message).toContain(`line ${line} of ${books}`);
    expect(failure.message).toContain(found);
  });

  test.each<[string, (lines: readonly string[]) => readonly string[], number]>([
    ['removed', (lines) => lines.toSpliced(3, 2), 4],
    ['doubled', (lines) => lines.toSpliced(3, 0, lines[3] ?? ''), 5],
    ['moved', (lines) => [...lines.slice(0, 3), ...lines.slice(5, 7), ...lines.slice(3, 5)], 4],
    ['edited', (lines) => lines.map((line) => line.replace('"requestId":"', '"requestId":"x')), 4],
    [
      'of another header',
      (lines) => lines.map((line) => line.replace('"quotaPerUsd":', '"quotaPerUsd":1')),
      1,
    ],
  ])('a line that was %s is noticed', (_, edit, line) => {
    make((opened) => {
      settle(opened, USD);
      settle(opened, USD);
    });
    const lines = readFileSync(books, 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(7);
    writeFileSync(
      books,
      edit(lines)
        .map((text) => `${text}\n`)
        .join(''),
    );
    const failure = failureOf(open);
    expect(failure).toMatchObject({ code: 'data_corrupt', exitCode: 2 });
    expect(failure.message).toContain(`line ${line} of ${books}`);
    expect(failure.message).toContain('was changed, lost or moved');
  });

  test('what faults book is read again', () => {
    let before: object = {};
    make((opened) => {
      const { ledger, registry } = opened;
      const key = registry.keyOfOrdinal(1);
      if (key === null) throw new Error('there is no key');
      const charge = reserve(opened, 4n * USD);
      ledger.settle(charge, { amount: USD, ...DONE });
      ledger.amend(charge, { amount: -USD });
      ledger.book(key, charge.record, true);
      ledger.withdraw(charge);
      ledger.restore(charge);
      ledger.amend(charge, { status: 'pending', amount: 0n, refunded: 0n });
      ledger.amend(charge, { status: 'unknown' });
      ledger.misfile(charge, 'another');
      before = contentOf(opened);
    });
    const after = open();
    expect(contentOf(after)).toMatchObject({ ...before, open: [] });
    after.data.close();
  });

  test('another version is refused by its name, a file of something else as corrupt', () => {
    writeFileSync(books, '{"schema":"weighbridge.gateway-data/1"}\n');
    expect(failureOf(open)).toMatchObject({ code: 'data_version', exitCode: 2 });
    writeFileSync(books, 'hello\n');
    expect(failureOf(open)).toMatchObject({ code: 'data_corrupt' });
  });

  test('a first line without an end is a directory that was never used', () => {
    writeFileSync(books, '{"schema":"weighbr');
    const opened = open();
    expect(contentOf(opened)).toEqual({ accounts: [], records: [], open: [] });
    opened.data.close();
    const again = open();
    expect(again.restored.quotaPerUsd).toBe(opened.restored.quotaPerUsd);
    again.data.close();
  });
});

test('what cannot be written has not happened, and nothing is taken after it', () => {
  const opened = open();
  const { account } = opened.registry.addAccount({ balance: 10n * USD });
  opened.registry.addKey({ account });
  const charge = reserve(opened, USD);
  const before = contentOf(opened);
  opened.data.close();
  const failure = failureOf(() => reserve(opened, USD));
  expect(failure).toMatchObject({ code: 'data_unwritable', exitCode: 1 });
  expect(failure.message).toBe(`expected to write to ${books}, found EBADF`);
  expect(failureOf(() => opened.ledger.refund(charge, 'failed'))).toBe(failure);
  expect(failureOf(() => opened.registry.addCredit(account, USD))).toBe(failure);
  expect(contentOf(opened)).toEqual(before);
  expect([charge.record.status, opened.data.broken]).toEqual(['pending', true]);
});

test('a log with many lines that are out of date is made anew with the same content', () => {
  make((opened) => {
    for (let charge = 0; charge < 3000; charge += 1) settle(opened, 1n);
    reserve(opened, 3n);
  });
  const long = statSync(books).size;
  const before = open();
  expect(statSync(books).size).toBeLessThan(long * 0.6);
  const content = contentOf(before);
  expect(content.records).toHaveLength(3001);
  settle(before, 1n);
  before.data.close();
  const after = open();
  expect(contentOf(after).records.slice(0, -1)).toEqual(content.records);
  expect(after.records.size).toBe(3002);
  expect(after.registry.account(1001)).toMatchObject({
    used: 3001n,
    reserved: 3n,
    balance: 10n * USD - 3001n,
  });
  expect(after.restored).toEqual({ quotaPerUsd: before.restored.quotaPerUsd, notes: [] });
  after.data.close();
});

test('a task of which a line comes twice is refused', () => {
  make();
  const end = '{"type":"task_end","id":"video_1","status":"failed","error":null,"completedAt":5}';
  editBooks(books, (lines) => [...lines, end]);
  expect(failureOf(open).message).toContain('there is no task video_1');
});

describe('the lock', () => {
  test('a second writer is refused while the first one lives', () => {
    const first = open();
    expect(failureOf(open)).toMatchObject({ code: 'data_in_use', exitCode: 2 });
    first.data.close();
    open().data.close();
  });

  test('one of a process that is dead is taken over', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    writeFileSync(join(folder, 'lock'), JSON.stringify({ pid: child.pid, started: null }));
    open().data.close();
    writeFileSync(join(folder, 'lock'), '');
    open().data.close();
  });

  test.runIf(process.platform === 'linux')('one whose number another process has now is taken over', () => {
    const lock = { pid: process.pid, started: 'a boot of long ago 17' };
    writeFileSync(join(folder, 'lock'), JSON.stringify(lock));
    open().data.close();
  });

  test('a directory that cannot be made is said', () => {
    writeFileSync(join(folder, 'file'), '');
    expect(failureOf(() => new DataDirectory(join(folder, 'file', 'data')))).toMatchObject({
      code: 'data_unusable',
      exitCode: 2,
    });
  });
});

const journalCall = z.object({ request_id: z.string(), amount: z.string() });
const accepted = z.object({ job_id: z.string(), request_id: z.string() });
const self = z.object({
  data: z.object({ quota: z.number(), used_quota: z.number(), request_count: z.number() }),
});

describe('a gateway that starts again on its directory', () => {
  let journalPath: string;
  beforeEach(() => {
    journalPath = join(folder, 'journal.ndjson');
  });

  /** Runs one gateway after the other and closes each. */
  async function during<T>(
    act: (gateway: TestGateway) => Promise<T>,
    latency: 'fast' | 'slow' = 'fast',
  ): Promise<T> {
    const gateway = await startTestGateway({ dataDir: folder, latency, journalPath });
    try {
      return await act(gateway);
    } finally {
      await gateway.running.close();
    }
  }

  const readSelf = async ({ call, running: { ready } }: TestGateway) => {
    const authorization = `Bearer ${ready.access_token}`;
    return self.parse(
      (
        await call('GET', '/api/user/self', undefined, {
          authorization,
          'new-api-user': String(ready.user_id),
        })
      ).json,
    ).data;
  };

  test('has the same credentials, records and units of credit', async () => {
    const first = await during(async (gateway) => {
      await gateway.call('POST', '/v1/chat/completions', chatBody());
      return {
        ready: gateway.running.ready,
        records: await gateway.records(),
        self: await readSelf(gateway),
      };
    });
    expect(first.records).toHaveLength(1);
    const second = await during(async (gateway) => ({
      ready: gateway.running.ready,
      records: await gateway.records(),
      self: await readSelf(gateway),
    }));
    const { api_key, access_token, user_id } = first.ready;
    expect(second.ready).toMatchObject({ api_key, access_token, user_id });
    expect(second).toMatchObject({ records: first.records, self: first.self });
  });

  test('tells the access token that replaced the first one', async () => {
    const token = await during(async ({ control, running: { ready } }) => {
      const answer = await control('POST', `/accounts/${ready.user_id}/access-token`, {});
      return z.object({ access_token: z.string() }).parse(answer.json).access_token;
    });
    const shown = await during(async (gateway) => {
      expect(await readSelf(gateway)).toMatchObject({ used_quota: 0 });
      return gateway.running.ready.access_token;
    });
    expect(shown).toBe(token);
  });

  test('makes new credentials for its account where they are lost', async () => {
    const lost = await during(async ({ running }) => running.ready);
    rmSync(join(folder, 'credentials.json'));
    await during(async (gateway) => {
      expect(gateway.running.ready.api_key).not.toBe(lost.api_key);
      expect(gateway.running.ready.user_id).toBe(lost.user_id);
      expect(await readSelf(gateway)).toMatchObject({ request_count: 0 });
      const old = { authorization: `Bearer ${lost.api_key}` };
      expect((await gateway.call('GET', '/v1/usage', undefined, old)).status).toBe(200);
    });
  });

  test('goes on with jobs that run, and remembers those that ended', async () => {
    const body = { model: 'lumen-image', prompt: 'a scale', quality: 'low', response_format: 'b64_json' };
    const submit = async ({ call }: TestGateway) =>
      accepted.parse((await call('POST', '/v1/images/generations/jobs', body)).json);
    const { running, failed } = await during(async (gateway) => {
      const jobs = { running: await submit(gateway), failed: await submit(gateway) };
      await gateway.control('POST', `/tasks/${jobs.failed.job_id}/fail`, {
        code: 'broken',
        message: 'It broke',
      });
      return jobs;
    }, 'slow');
    await during(async ({ call, records }) => {
      const read = async (id: string) => (await call('GET', `/v1/images/jobs/${id}`)).json;
      expect(await read(running.job_id)).toMatchObject({ request_id: running.request_id });
      expect(await read(failed.job_id)).toMatchObject({ status: 'failed', error: { code: 'broken' } });
      expect(await records()).toMatchObject([
        { request_id: failed.request_id, billing_status: 'refunded' },
        { request_id: running.request_id, billing_status: 'pending' },
      ]);
    }, 'slow');
    // As if much time had passed: the moments at which it runs are on the log.
    editBooks(books, (lines) =>
      lines.map((line) => line.replaceAll(/"runs(From|To)":[\d.]+/g, '"runs$1":1')),
    );
    await during(async ({ call, records }) => {
      const path = `/v1/images/jobs/${running.job_id}`;
      await expect.poll(async () => (await call('GET', path)).json).toMatchObject({ status: 'completed' });
      expect(await records()).toMatchObject([{ billing_status: 'refunded' }, { billing_status: 'settled' }]);
      expect((await call('GET', `${path}/result`)).status).toBe(200);
    }, 'slow');
    const journal = readFileSync(journalPath, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => journalCall.parse(JSON.parse(line)));
    expect(journal).toEqual([
      { request_id: failed.request_id, amount: '0' },
      { request_id: running.request_id, amount: expect.stringMatching(/^0\.0\d+$/) },
    ]);
  });

  test('a task that runs does so still, wherever the clock was, and is due in its own time', async () => {
    const body = { model: 'orbit-2', prompt: 'a sail' };
    const status = z.object({ id: z.string(), status: z.string() });
    const plan = (queue_ms: number, run_ms: number) => ({
      preset: 'fast',
      video_queue: { fixed: { ms: queue_ms } },
      video_run: { fixed: { ms: run_ms } },
    });
    const submit = async ({ call }: TestGateway) =>
      status.parse((await call('POST', '/v1/videos', body)).json);
    const { running, queued } = await during(async (gateway) => {
      await gateway.control('POST', '/clock', { advance_s: 172_800 });
      await gateway.control('PUT', '/latency', plan(0, 60_000));
      const started = await submit(gateway);
      const read = async () => (await gateway.call('GET', `/v1/videos/${started.id}`)).json;
      await expect.poll(read).toMatchObject({ status: 'in_progress' });
      await gateway.control('PUT', '/latency', plan(50, 0));
      return { running: started.id, queued: (await submit(gateway)).id };
    });
    await during(async ({ call }) => {
      const read = async (id: string) => (await call('GET', `/v1/videos/${id}`)).json;
      expect(await read(running)).toMatchObject({ status: 'in_progress' });
      await expect.poll(() => read(queued)).toMatchObject({ status: 'completed' });
    });
  });

  test('ends in an orderly way where its books can no longer be written, and keeps what was settled', async () => {
    const gateway = await startTestGateway({ dataDir: folder });
    const full = Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    let ending: Promise<void> | null = null;
    const close = () => {
      ending ??= gateway.running.close();
      return ending;
    };
    try {
      await gateway.call('POST', '/v1/chat/completions', chatBody());
      const body = { model: 'lumen-image', prompt: 'a scale', quality: 'low', response_format: 'b64_json' };
      const latency = { preset: 'fast', job_run: { fixed: { ms: 60 } } };
      await gateway.control('PUT', '/latency', latency);
      expect((await gateway.call('POST', '/v1/images/generations/jobs', body)).status).toBe(202);
      vi.spyOn(BooksFile.prototype, 'append').mockImplementation(() => {
        throw full;
      });
      // Nobody asks for it: the job's own timer is the first that has something to write.
      let told: WeighbridgeError | null = null;
      void gateway.running.failed.then((error) => {
        told = error;
      });
      await expect.poll(() => told).toMatchObject({ code: 'data_unwritable', exitCode: 1 });
      expect((await gateway.call('POST', '/v1/chat/completions', chatBody())).status).toBe(500);
      const streamed = gateway.call('POST', '/v1/chat/completions', chatBody({ stream: true }));
      expect((await streamed).status).toBe(500);
      await expect(close()).rejects.toThrow(`expected to write to ${books}, found ENOSPC`);
    } finally {
      vi.restoreAllMocks();
      await close().catch(() => undefined);
    }
    await during(async ({ records }) => {
      await expect
        .poll(records)
        .toMatchObject([{ billing_status: 'settled' }, { billing_status: 'settled' }]);
    });
  });

  test('a stream whose settlement cannot be written stays without its end', async () => {
    const gateway = await startTestGateway({ dataDir: folder });
    const { base_url, api_key } = gateway.running.ready;
    const write = BooksFile.prototype.append;
    vi.spyOn(BooksFile.prototype, 'append').mockImplementation(function (this: BooksFile, event) {
      if (event.type === 'charge' && !event.isNew) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      write.call(this, event);
    });
    try {
      const answer = await fetch(`${base_url}/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
        body: JSON.stringify(chatBody({ stream: true })),
      });
      let text = '';
      const read = async (): Promise<void> => {
        for await (const piece of answer.body ?? []) text += Buffer.from(piece).toString();
      };
      await expect(read()).rejects.toThrow();
      expect(text).not.toContain('[DONE]');
      await expect(gateway.running.close()).rejects.toMatchObject({ code: 'data_unwritable' });
    } finally {
      vi.restoreAllMocks();
    }
  });

  test('refunds a call that was open when the process died', async () => {
    make((opened) => {
      settle(opened, USD);
      reserve(opened, 2n * USD);
    });
    await during(async ({ control }) => {
      const money = (await control('GET', '/accounts/1001')).json;
      expect(money).toMatchObject({ balance_usd: '9', reserved_usd: '0', used_usd: '1' });
    });
    const opened = open();
    expect([...opened.records.all()]).toMatchObject([
      { status: 'settled', amount: USD },
      { status: 'refunded', result: 'failed', refunded: 2n * USD },
    ]);
    opened.data.close();
  });
});
