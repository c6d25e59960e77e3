import type { Command } from 'commander';
import { parseAssumed } from '../../config/assumed-readings.ts';

export interface AssumeFlag {
  readonly assumeReading?: readonly string[];
}

/** `--assume-reading NAME=VALUE`, as often as there are points to be read otherwise. */
export function assumeOption(command: Command): Command {
  return command.option(
    '--assume-reading <name=value>',
    'how a point is read that the interface leaves open, such as amount=gross or status.free=waived; may be repeated, wins over the configuration, and stays with the run folder',
    (text: string, before: readonly string[] = []): readonly string[] => {
      parseAssumed([text]);
      return [...before, text];
    },
  );
}
