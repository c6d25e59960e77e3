import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type CapacityResult, capacitySchema } from '../../contracts/capacity-result.ts';
import { type BaselineResult, baselineSchema } from '../../contracts/comparison.ts';
import type { RanCommand } from '../../report/sections/repeat-section.ts';
import { type FolderFile, folderFile } from './folder-file.ts';

/** What the run was held against, so that its report is rendered again by it: the baseline itself may be pruned. */
export const BASELINE_FILE: FolderFile<BaselineResult> = folderFile({
  name: 'baseline.json',
  code: 'baseline_unreadable',
  version: 'weighbridge.baseline/1',
  content: baselineSchema,
  hint: 'hold the run against its baseline again with `weighbridge report --baseline`, or remove the file',
});

/** The search for the capacity, so that its report can be rendered again. */
export const CAPACITY_FILE: FolderFile<CapacityResult> = folderFile({
  name: 'capacity.json',
  code: 'capacity_unreadable',
  version: 'weighbridge.capacity/1',
  content: capacitySchema,
  hint: 'take the file that the run wrote, or remove it to judge the run without its search',
});

const BUILD_FILE = folderFile({
  name: 'build.json',
  code: 'build_unreadable',
  version: 'weighbridge.build/1',
  content: z.strictObject({ revision: z.string() }),
  hint: 'take the file that the run wrote, or remove it to report the run without its build',
});

/** Keeps in the run folder which commit ran; nothing where that is not known. */
export function writeBuild(runDir: string, revision: string | null): void {
  if (revision !== null) BUILD_FILE.write(runDir, { revision });
}

/** The commit that made the run folder, not the one that judges it again: the same folder gives the same bytes. */
export function readBuild(runDir: string): string | null {
  return BUILD_FILE.read(runDir)?.revision ?? null;
}

const text = z.string().nullable();
const command = z.strictObject({
  mode: z.enum(['audit', 'run']),
  search: z
    .strictObject({
      from: z.number(),
      step_ms: z.number(),
      resolution: z.number(),
      most_steps: z.number(),
    })
    .nullable(),
  nonce: text,
  faults: text,
  readings: text,
  assumed: z.array(z.string()).default([]),
});

const COMMAND_FILE: FolderFile<RanCommand> = folderFile({
  name: 'command.json',
  code: 'command_unreadable',
  version: 'weighbridge.command/1',
  content: command,
  hint: 'take the file that the run wrote, or remove it to report the run without its flags',
});

/**
 * Keeps what shaped the calls beside the configuration: the report says how to make them again. The files that it
 * names are copied, since they may change.
 */
export function writeCommand(runDir: string, ran: RanCommand): void {
  const { faults, readings } = ran;
  COMMAND_FILE.write(runDir, {
    ...ran,
    faults: faults?.startsWith('scenario:') ? faults : copied(runDir, 'faults', faults),
    readings: copied(runDir, 'readings', readings),
  });
}

/** The command of a run folder; null where it was made by hand or by an earlier version. */
export function readCommand(runDir: string): RanCommand | null {
  return COMMAND_FILE.read(runDir);
}

/** JSON is YAML too, so one name does for both. */
function copied(runDir: string, name: string, file: string | null): string | null {
  if (file === null) return null;
  copyFileSync(file, join(runDir, `${name}.yaml`));
  return `${name}.yaml`;
}
