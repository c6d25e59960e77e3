import type { Command } from 'commander';
import type { ConfigFlags, RequestFlags } from '../../config/settings.ts';

/** The flags that `audit`, `run` and `plan` share. */
export interface PlanFlags extends ConfigFlags, RequestFlags {
  readonly config?: string;
  readonly json?: boolean;
}

export function planOptions(command: Command): Command {
  return command
    .option('--config <file>', 'configuration (default: ./weighbridge.yaml, else the default plan)')
    .option('--target <url>', 'gateway to weigh: root, /v1 or /api form (default: the embedded gateway)')
    .option('--max-spend-usd <x>', 'most that the run may cost in the worst case; needed for a target')
    .option('--duration <time>', 'how long calls are started, such as 60s')
    .option('--rate-scale <x>', 'factor over every rate')
    .option('--seed <n>', 'the same seed plans the same calls')
    .option('--nonce <text>', 'fix the markers that make prompts unique')
    .option(
      '--keep-credit <share>',
      "stop when the account's remaining quota falls under this share of its value at the start, such as 0.8",
    )
    .option(
      '--extra <key=value>',
      'set a member of the request body: JSON, else text; dots lead into objects (may be repeated)',
      eachOf,
    )
    .option(
      '--header <text>',
      "send a header with every request, as 'Name: value'; a secret as 'Name: env:VARIABLE' (may be repeated)",
      eachOf,
    )
    .option('--json', 'last line of stdout for programs');
}

/** Gathers the values of a flag that may be given again. */
function eachOf(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
