import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { AppendedLines } from './appended-lines.ts';

test('each line is parsed once, the torn end of the file only when it is whole', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'grown-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'lines.ndjson');
  const parsed: string[] = [];
  const lines = new AppendedLines(
    file,
    (text, number) => {
      parsed.push(`${number}:${text}`);
      return text;
    },
    (text) => (text.endsWith('!') ? text : null),
  );
  expect(await lines.read()).toEqual([]);
  writeFileSync(file, 'one\n\ntwö\nthr');
  expect(await lines.read()).toEqual(['one', 'twö']);
  appendFileSync(file, 'ee!');
  expect(await lines.read()).toEqual(['one', 'twö', 'three!']);
  appendFileSync(file, '\nfour\n');
  expect(await lines.read()).toEqual(['one', 'twö', 'three!', 'four']);
  expect(parsed).toEqual(['1:one', '3:twö', '4:three!', '5:four']);
  // Another file in its place.
  writeFileSync(file, 'new\n');
  expect(await lines.read()).toEqual(['new']);
});
