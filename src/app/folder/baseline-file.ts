import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { BaselineResult } from '../../contracts/comparison.ts';
import { baselineSchema } from '../../report/result-schema.ts';
import { type FolderFile, readFolderFile, writeFolderFile } from './folder-file.ts';

const FILE = 'baseline.json';

const KIND: FolderFile<BaselineResult> = {
  code: 'baseline_unreadable',
  version: 'weighbridge.baseline/1',
  content: baselineSchema,
  hint: 'hold the run against its baseline again with `weighbridge report --baseline`, or remove the file',
};

/** Keeps what the run was held against, so that its report is rendered again by it: the baseline itself may be pruned. */
export function keepBaseline(runDir: string, baseline: BaselineResult): void {
  writeFolderFile(join(runDir, FILE), KIND, baseline);
}

export function dropBaseline(runDir: string): void {
  rmSync(join(runDir, FILE), { force: true });
}

/** Null where the run was held against none. */
export function readBaseline(runDir: string): BaselineResult | null {
  return readFolderFile(join(runDir, FILE), KIND);
}
