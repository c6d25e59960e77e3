import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'vitest';
import { judgeFolder, writeFolderReport } from '../../../src/app/judge/judge-folder.ts';
import { finding, reconciliation } from '../../../src/report/report.test-support.ts';
import { largeRunFolder } from '../large-run-folder.ts';
import { ROOT, sampleFolder } from '../run-weighbridge.ts';
import type { ShownPage } from './shown-page.ts';

export const LARGE_CALLS = 100_000;

export type ReportedRun = 'small' | 'large' | 'empty' | 'faulty';

const WRITERS: Readonly<Record<ReportedRun, (dir: string) => Promise<void>>> = {
  async small(dir) {
    cpSync(sampleFolder(), dir, { recursive: true });
    writeFolderReport(dir, await judgeFolder(dir));
  },
  async large(dir) {
    largeRunFolder(dir, LARGE_CALLS);
    // With as many findings as a page shows, and many more that it does not.
    const findings = Array.from({ length: 2000 }, (_, index) =>
      finding({
        id: `f${index}`,
        request_id: `req_${index}`,
        class: index % 3 === 0 ? 'amount_mismatch' : 'duplicate_charge',
        delta_exact: `0.${String(index).padStart(6, '0')}1`,
        evidence: [`request:req_${index}`, `record:rec_${index}`],
      }),
    );
    const bill = reconciliation(findings);
    const judged = await judgeFolder(dir);
    writeFolderReport(dir, { ...judged, reconciliation: { ...bill, groups: bill.groups.slice(0, 2) } });
  },
  async faulty(dir) {
    cpSync(join(ROOT, 'test/kept-folders/reports/20261124T000906Z-5082'), dir, { recursive: true });
    writeFolderReport(dir, await judgeFolder(dir));
  },
  async empty(dir) {
    emptyRunFolder(dir);
    writeFolderReport(dir, await judgeFolder(dir));
  },
};

/** report.html under `parent` of the sample run, of one of many calls and findings, of one that made no call, and of one with a letter. */
export class Reports {
  readonly #parent: string;
  readonly #written = new Map<ReportedRun, Promise<void>>();

  constructor(parent: string) {
    this.#parent = parent;
  }

  /** Written when it is first asked for: who looks at one page waits for no other. */
  async file(run: ReportedRun): Promise<string> {
    const dir = join(this.#parent, run);
    const written = this.#written.get(run) ?? WRITERS[run](dir);
    this.#written.set(run, written);
    await written;
    return join(dir, 'report.html');
  }

  async address(run: ReportedRun): Promise<string> {
    return pathToFileURL(await this.file(run)).href;
  }
}

/** A run that was stopped before its first call. */
function emptyRunFolder(dir: string): void {
  cpSync(sampleFolder(), dir, { recursive: true });
  rmSync(join(dir, 'usage'), { recursive: true });
  for (const name of readdirSync(join(dir, 'calls'))) {
    const path = join(dir, 'calls', name);
    const [header] = readFileSync(path, 'utf8').split('\n');
    writeFileSync(path, `${header}\n`);
  }
}

export function reportPages(reports: Reports): readonly ShownPage[] {
  return (['small', 'large', 'empty', 'faulty'] as const).map((run) => ({
    name: `report-${run}`,
    address: () => reports.address(run),
    async expected(page) {
      const canvases = await page.locator('canvas').count();
      if (run === 'empty') expect(canvases).toBe(0);
      else expect(canvases).toBeGreaterThanOrEqual(3);
    },
  }));
}
