import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { sampleFolder } from '../../../test/support/run-weighbridge.ts';
import { refreshIndex } from './runs-index.ts';

test('lists every run, newest first, with the course of those of one plan', () => {
  const out = mkdtempSync(join(tmpdir(), 'weighbridge-index-'));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
  const names = ['20261121T000000Z-a', '20261123T000000Z-c', '20261122T000000Z-<b>'];
  for (const name of names) {
    mkdirSync(join(out, name));
    cpSync(join(sampleFolder(), 'result.json'), join(out, name, 'result.json'));
  }
  writeFileSync(join(out, '20261121T000000Z-a', 'result.json'), '{"schema":"another"}');
  mkdirSync(join(out, 'no-run'));
  refreshIndex(join(out, '20261123T000000Z-c'));
  const page = readFileSync(join(out, 'index.html'), 'utf8');
  const links = [...page.matchAll(/<a href="([^"]+)">([^<]+)</g)].map(([, href, text]) => [href, text]);
  expect(links).toEqual([
    ['20261123T000000Z-c/report.html', '20261123T000000Z-c'],
    ['20261122T000000Z-%3Cb%3E/report.html', '20261122T000000Z-&lt;b&gt;'],
    ['20261121T000000Z-a/report.html', '20261121T000000Z-a'],
  ]);
  expect(page).toContain('<h1>3 runs, 2 of them clean</h1>');
  expect(page).toContain('its result.json cannot be read');
  expect(page).toContain('aria-label="TTFT p95 of 2 runs, the last 306 ms"');
  expect(page.match(/class="good">549 of 549 charges match the price list/g)).toHaveLength(2);
});
