import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sampleFolder } from '../../../test/support/run-weighbridge.ts';
import { report } from '../../app/compare/two-runs.test-support.ts';
import { parseAssumed } from '../../config/assumed-readings.ts';
import { FORMATS } from '../../report/files/write-formats.ts';

function copyOfSample(): { readonly out: string; readonly dir: string; readonly run: string } {
  const out = mkdtempSync(join(tmpdir(), 'weighbridge-report-'));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
  const run = basename(sampleFolder());
  const dir = join(out, run);
  cpSync(sampleFolder(), dir, { recursive: true });
  return { out, dir, run };
}

test('writes every form that is asked for, the same bytes each time but for Parquet', async () => {
  const { out, dir, run } = copyOfSample();
  const statement = join(out, 'october.csv');
  writeFileSync(statement, 'entry,amount\nopening,10\nclosing,8\n');
  const [book = ''] = readdirSync(join(dir, 'books'));
  const formats = Object.keys(FORMATS).join(',');
  const asked = ['--statement', statement, '--list-prices', join(dir, 'books', book)];
  const first = await report(out, '--run', run, '--format', formats, ...asked);
  expect(first.status, first.said).toBe(0);
  const names = [...Object.values(FORMATS), 'result.json', 'report.md'].filter(
    (name) => !name.endsWith('parquet'),
  );
  const texts = names.map((name) => readFileSync(join(dir, name), 'utf8'));
  expect(texts.every((text) => text.length > 100)).toBe(true);
  expect(readFileSync(join(dir, FORMATS['rows.parquet'])).subarray(0, 4).toString()).toBe('PAR1');
  expect(texts[names.indexOf('report.md')]).toContain('## The account statement');
  expect(texts[names.indexOf('report.md')]).toContain('## Against a price list');
  await report(out, '--run', run, '--format', formats, '--focus', '1.2');
  for (const [index, name] of names.entries())
    expect(readFileSync(join(dir, name), 'utf8') === texts[index], name).toBe(true);
});

test('an assumed reading judges a folder again, is named with its flag, and stays with the folder', async () => {
  const { out, dir, run } = copyOfSample();
  const shown = (): string => readFileSync(join(dir, 'report.md'), 'utf8');
  await report(out, '--run', run, '--assume-reading', 'amount=gross', '--assume-reading', 'aborted=charged');
  expect(shown()).toContain('declared in --assume-reading amount, but');
  const { said } = await report(out, '--run', run);
  expect(shown()).toContain('declared in --assume-reading amount, but');
  expect(said).toContain('--assume-reading amount is declared as gross, but');
  await report(out, '--run', run, '--assume-reading', 'amount=auto');
  expect(shown()).not.toContain('in --assume-reading');
});

test('every name of the table of books is one that the flag takes', async () => {
  const { out, dir, run } = copyOfSample();
  await report(out, '--run', run);
  const shown = readFileSync(join(dir, 'report.md'), 'utf8');
  const [, table = ''] = shown.split('## How this gateway keeps its books');
  const rows = table.split('\n## ')[0]?.matchAll(/^\| [^|]*<br>([\w.\\]+) \|/gm) ?? [];
  const names = [...rows].map(([, name = '']) => name.replaceAll('\\', ''));
  expect(names).toEqual(expect.arrayContaining(['amount', 'created_at', 'aborted', 'status.settled']));
  for (const name of names)
    expect(() => parseAssumed([`${name}=?`]), name).toThrow(`must be ${name}=VALUE, with VALUE one of`);
});

test('a bill that holds gives no bundle', async () => {
  const { out, dir, run } = copyOfSample();
  const { status, said } = await report(
    out,
    '--run',
    run,
    '--bundle',
    '--json',
    '--state',
    join(out, 'state'),
  );
  expect(status).toBe(0);
  expect(said).toContain('No bundle was written. There is nothing to claim.');
  expect(said).toContain('"bundle":null}');
  expect(readdirSync(dir).filter((name) => name.endsWith('.zip'))).toEqual([]);
});

test.each([
  [['--format', 'rows.xls'], 'found rows.xls'],
  [['--focus', '1.0'], 'expected 1.2, found 1.0'],
  [['--focus-billing', 'both'], 'expected usage or drawdown, found both'],
  [['--assume-reading', 'amount=nett'], 'must be amount=VALUE, with VALUE one of net, gross, auto'],
  [['--assume-reading', 'amounts=net'], 'NAME one of amount, input_tokens'],
  [['--statement', '/nowhere/x.yaml'], 'The statement /nowhere/x.yaml cannot be read'],
])('%j is refused', async (flags, words) => {
  const { out, run } = copyOfSample();
  const { status, said } = await report(out, '--run', run, ...flags);
  expect(status).toBe(2);
  expect(said).toContain(words);
});
