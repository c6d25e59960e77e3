import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { LedgerSink } from './ledger-sink.ts';
import { loadLedger } from './load-ledger.ts';

let dir = '';
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'wb-sink-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const options = () => ({ dir, run: 'recorded', instance: 'r1', keyFp: null, version: '0.0.0' });

test('the first line is a header that ledgers are read with, and each line is there when write returns', async () => {
  const sink = new LedgerSink(options());
  sink.write({ schema: 'other/1', text: 'one' });
  expect(readFileSync(join(dir, 'r1-0.ndjson'), 'utf8').split('\n')).toHaveLength(3);
  sink.close();
  const { headers, problems, unknown_lines } = await loadLedger(dir);
  expect(headers).toMatchObject([{ run_id: 'recorded', instance: 'r1', file: 0, plan_hash: null }]);
  expect({ problems, unknown_lines }).toEqual({ problems: [], unknown_lines: 1 });
});

test('a second writer of one file is refused', () => {
  const first = new LedgerSink(options());
  first.write({ schema: 'other/1' });
  expect(() => new LedgerSink(options()).write({ schema: 'other/1' })).toThrow(/EEXIST/);
  first.close();
});

// A file that may grow to 2 KiB only: the write in which it ends takes half a line, as a full disk does.
test('where the room ends no half line stays, and what fits later is written', async () => {
  const script = `
    import { LedgerSink } from ${JSON.stringify(join(import.meta.dirname, 'ledger-sink.ts'))};
    const sink = new LedgerSink(${JSON.stringify(options())});
    const said = [];
    for (const size of [1000, 1000, 10]) {
      try { sink.write({ schema: 'other/1', text: 'x'.repeat(size) }); said.push('ok'); }
      catch (error) { said.push(error.code); }
    }
    console.log(said.join(' '));
  `;
  const done = spawnSync(
    'bash',
    ['-c', `trap '' XFSZ; ulimit -f 2; exec "$0" --input-type=module -e "$1"`, process.execPath, script],
    { encoding: 'utf8' },
  );
  expect({ out: done.stdout.trim(), err: done.stderr }).toEqual({ out: 'ok EFBIG ok', err: '' });
  expect(readdirSync(dir)).toEqual(['r1-0.ndjson']);
  const lines = readFileSync(join(dir, 'r1-0.ndjson'), 'utf8').split('\n');
  expect(lines.map((line) => line.length > 0)).toEqual([true, true, true, false]);
  expect((await loadLedger(dir)).problems).toEqual([]);
});
