import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { EXIT } from '../core/exit-code.ts';
import { WeighbridgeError } from '../core/failure.ts';
import type { RanCommand } from '../report/repeat-section.ts';

const COMMAND_FILE = 'command.json';
const COMMAND_SCHEMA = 'weighbridge.command/1';

const text = z.string().nullable();
const fileSchema = z.strictObject({
  schema: z.literal(COMMAND_SCHEMA),
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
  const lines = JSON.stringify({ schema: COMMAND_SCHEMA, ...kept }, null, 2);
  writeFileSync(join(runDir, COMMAND_FILE), `${lines}\n`);
}

/** The command of a run folder; null where it was made by hand or by an earlier version. */
export function readCommand(runDir: string): RanCommand | null {
  const file = join(runDir, COMMAND_FILE);
  if (!existsSync(file)) return null;
  const parsed = fileSchema.safeParse(parseJson(readFileSync(file, 'utf8')));
  if (parsed.success) {
    const { schema: _, ...command } = parsed.data;
    return command;
  }
  throw new WeighbridgeError({
    code: 'command_unreadable',
    message: `${file}: expected ${COMMAND_SCHEMA}, found ${z.prettifyError(parsed.error)}`,
    hint: 'take the file that the run wrote, or remove it to report the run without its flags',
    exitCode: EXIT.usage,
  });
}

/** JSON is YAML too, so one name does for both. */
function copied(runDir: string, name: string, file: string | null): string | null {
  if (file === null) return null;
  copyFileSync(file, join(runDir, `${name}.yaml`));
  return `${name}.yaml`;
}

function parseJson(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return content;
  }
}
