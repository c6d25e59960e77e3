import type { Command } from 'commander';
import { parseAssumed } from '../../config/assumed-readings.ts';

export interface AssumeFlag {
  readonly assumeReading?: readonly string[];
}

/** `--assume-reading NAME=VALUE`, as often as there are points to be read otherwise. */
export function assumeOption(command: Command): Command {
  return command.option(
    '--assume-reading <name=value>',
    'assume how the gateway bills where it does not say, such as amount=gross; replaces the configuration (may be repeated)',
    (text: string, before: readonly string[] = []): readonly string[] => {
      parseAssumed([text]);
      return [...before, text];
    },
  );
}
