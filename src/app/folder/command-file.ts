import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { RanCommand } from '../../report/sections/repeat-section.ts';
import { type FolderFile, readFolderFile, writeFolderFile } from './folder-file.ts';

const COMMAND_FILE = 'command.json';

const text = z.string().nullable();
const content = z.strictObject({
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
});

const KIND: FolderFile<RanCommand> = {
  code: 'command_unreadable',
  version: 'weighbridge.command/1',
  content,
  hint: 'take the file that the run wrote, or remove it to report the run without its flags',
};

/**
 * Keeps in the run folder what shaped the calls beside the configuration, with copies of the files that it names: they may
 * change, and the report says how to make the same calls again.
 */
export function writeCommand(runDir: string, command: RanCommand): void {
  const kept: RanCommand = {
    ...command,
    faults: command.faults?.startsWith('scenario:')
      ? command.faults
      : copied(runDir, 'faults', command.faults),
    readings: copied(runDir, 'readings', command.readings),
  };
  writeFolderFile(join(runDir, COMMAND_FILE), KIND, kept);
}

/** The command of a run folder; null where it was made by hand or by an earlier version. */
export function readCommand(runDir: string): RanCommand | null {
  return readFolderFile(join(runDir, COMMAND_FILE), KIND);
}

/** JSON is YAML too, so one name does for both. */
function copied(runDir: string, name: string, file: string | null): string | null {
  if (file === null) return null;
  copyFileSync(file, join(runDir, `${name}.yaml`));
  return `${name}.yaml`;
}
