import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { wholeParts } from './line-part.test-support.ts';
import { FILE_PLACES } from './line-part.ts';
import { type PickedLine, pickLines } from './pick-lines.ts';
import { withoutTornTails } from './torn-tail.ts';

const dir = mkdtempSync(join(tmpdir(), 'weighbridge-lines-'));

function fileOf(name: string, text: string): string {
  const file = join(dir, name);
  writeFileSync(file, text);
  return file;
}

async function pick(files: readonly string[], places: readonly number[]): Promise<readonly PickedLine[]> {
  const lines: PickedLine[] = [];
  for await (const line of pickLines(wholeParts(files), places)) lines.push(line);
  return lines;
}

test('lines are counted over all files without the empty ones, and told by their place', async () => {
  const one = fileOf('one.ndjson', '{"a":0}\n\n{"a":1}\r\n  \n{"a":2}');
  const two = fileOf('two.ndjson', '{"a":3}\n{"a":"é"}\n');
  expect(await pick([one, two], [1, 2, FILE_PLACES + 1])).toEqual([
    { file: one, number: 3, place: 1, text: '{"a":1}\r', wanted: true },
    { file: one, number: 5, place: 2, text: '{"a":2}', wanted: true },
    { file: two, number: 2, place: FILE_PLACES + 1, text: '{"a":"é"}', wanted: true },
  ]);
});

test('what only DuckDB takes for JSON is given too', async () => {
  const file = fileOf(
    'odd.ndjson',
    [
      '{"a":1}',
      '{"a":1,}',
      '{"a":{"b":1,}}',
      '{"a":NaN}',
      '{"a":-Infinity}',
      '{"a":1}\v',
      '{"a":"N"}',
      '',
    ].join('\n'),
  );
  expect((await pick([file], [])).map(({ number, wanted }) => [number, wanted])).toEqual([
    [2, false],
    [3, false],
    [4, false],
    [5, false],
    [6, false],
  ]);
});

test('lines across the parts in which a file is read stay whole', async () => {
  const long = 'x'.repeat(3_000_000);
  const file = fileOf(
    'long.ndjson',
    Array.from({ length: 6 }, (_, index) => `{"a":${index},"b":"${long}"}\n`).join(''),
  );
  const lines = await pick([file], [1, 4]);
  expect(lines.map(({ place, text }) => [place, text.length, text.slice(0, 6)])).toEqual([
    [1, long.length + 14, '{"a":1'],
    [4, long.length + 14, '{"a":4'],
  ]);
});

test('a file without its torn last line is read from a copy, any other one as it is', async () => {
  const whole = fileOf('whole.ndjson', '{"a":0}\n{"a":1}');
  const torn = fileOf('torn.ndjson', `{"a":"${'y'.repeat(200_000)}"}\n{"a":"${'z'.repeat(100_000)}`);
  const read = await withoutTornTails([whole, torn], dir);
  expect(read.files[0]).toBe(whole);
  expect(read.torn).toHaveLength(1);
  expect(read.torn[0]?.tail).toHaveLength(100_006);
  expect(readFileSync(read.files[1] ?? '', 'utf8')).toHaveLength(200_009);
  expect(readFileSync(torn, 'utf8')).toHaveLength(300_015);
});
