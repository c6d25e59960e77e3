import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { judgeFolder, writeFolderReport } from '../src/app/judge/judge-folder.ts';
import { renderVerdict } from '../src/report/terminal/render-verdict.ts';
import { ROOT, sampleFolder } from './support/run-weighbridge.ts';

test('the committed sample run renders to the same bytes', async () => {
  const sample = sampleFolder();
  const copy = mkdtempSync(join(tmpdir(), 'weighbridge-sample-'));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  cpSync(sample, copy, { recursive: true });
  const names = ['result.json', 'report.md', 'report.html', 'findings.ndjson', 'findings.csv'];
  for (const name of names) rmSync(join(copy, name));
  writeFolderReport(copy, await judgeFolder(copy));
  for (const name of names) {
    expect(readFileSync(join(copy, name), 'utf8') === readFileSync(join(sample, name), 'utf8'), name).toBe(
      true,
    );
  }
});

test('docs/first-audit.md shows the verdict of the sample run, word for word', async () => {
  const sample = sampleFolder();
  const copy = mkdtempSync(join(tmpdir(), 'weighbridge-sample-'));
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
  cpSync(sample, copy, { recursive: true });
  const { result } = writeFolderReport(copy, await judgeFolder(copy));
  const lines = renderVerdict(result, { width: 100, report: `reports/${result.run_id}/report.html` });
  expect(lines.length).toBeLessThanOrEqual(14);
  const page = readFileSync(join(ROOT, 'docs/first-audit.md'), 'utf8');
  expect(page).toContain(lines.map((line) => `    ${line}`.trimEnd()).join('\n'));
});
