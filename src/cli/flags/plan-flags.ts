import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { formatConfig } from '../../config/format-config.ts';
import type { GuardFlags } from '../../config/guard-flags.ts';
import type { LineFlags } from '../../config/line-traffic.ts';
import type { ResolvedConfig } from '../../config/resolved-config.ts';
import type { ConfigFlags, RequestFlags } from '../../config/settings.ts';
import { DIALECT_SETTINGS } from '../../contracts/dialect.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { PAID_KINDS } from '../../core/call-kind.ts';

/** The flags that `audit`, `run` and `plan` share. */
export interface PlanFlags extends ConfigFlags, LineFlags, GuardFlags, RequestFlags {
  readonly save?: string;
  readonly config?: string;
  readonly json?: boolean;
}

export function planOptions(command: Command): Command {
  return lineOptions(command)
    .option('--config <file>', 'configuration file (default: ./weighbridge.yaml, else the default plan)')
    .argument('[url]', 'address of the server; it may end in /v1 or /api (default: the embedded gateway)')
    .option('--target <url>', 'the same as the argument')
    .addOption(dialectOption())
    .option('--max-spend-usd <x>', 'most that the run may cost; needed if the target charges')
    .option('--duration <time>', 'how long to start calls, such as 60s')
    .option('--rate-scale <x>', 'multiply every rate by this factor')
    .option('--seed <n>', 'number that fixes the planned calls: the same seed plans the same calls')
    .option('--nonce <text>', 'text that fixes the markers which make prompts unique')
    .option(
      '--keep-credit <share>',
      'stop when the remaining quota of the account falls below this share of its value at the start, such as 0.8',
    )
    .option(
      '--extra <key=value>',
      'set a field of the request body to JSON or text; dots name nested fields (may be repeated)',
      eachOf,
    )
    .option(
      '--header <text>',
      "send this header with every request: 'Name: value', or 'Name: env:VARIABLE' for a secret (may be repeated)",
      eachOf,
    )
    .option(
      '--objective <bounds>',
      'limit that gives exit code 4 if missed, such as ttft_p95=800ms,error_share=1% or chat.ttft_p95=1s (may be repeated)',
      eachOf,
    )
    .option('--json', 'print the result as one JSON line');
}

/** How the target serves its bill. */
function dialectOption(): Option {
  return new Option(
    '--dialect <name>',
    'form in which the target serves usage and prices (default: auto, which detects it)',
  ).choices(DIALECT_SETTINGS);
}

/** The flags that stand for one entry of the traffic. */
function lineOptions(command: Command): Command {
  return command
    .option(
      '--model <id>',
      'model to call (default: the cheapest one with a price, else the first in the list)',
    )
    .option(
      '--rate <n/s>',
      'calls per second, minute or hour, such as 5, 5/s or 90/m (default: 2/s, or the configuration)',
    )
    .option('--concurrency <n>', 'keep this many calls in flight, instead of a rate')
    .option('--request-count <n>', 'stop after this many calls; without a rate, one call after the other')
    .addOption(new Option('--kind <kind>', 'kind of call (default: chat)').choices(PAID_KINDS))
    .option('--stream', 'stream every call (default: half of them)')
    .option('--no-stream', 'stream no call')
    .option('--prompt-tokens <n>', 'approximate tokens in each prompt (default: 200)')
    .option('--max-tokens <n>', 'most tokens in each answer (default: 128)')
    .option(
      '--prompt-file <file>',
      'file with your own prompts: one per line, or NDJSON with "prompt"; each gets a marker at its start',
    )
    .option(
      '--permission <name:date>',
      'who allows more than 2 calls/s or 5 in flight on a remote server, and until when, such as ops:2026-12-31',
    )
    .option(
      '--max-calls <n>',
      'most calls of the run; a remote server without prices needs it or --assume-usd-per-call',
    )
    .option(
      '--assume-usd-per-call <x>',
      'assumed price of a call if the server publishes none; --max-spend-usd then limits the number of calls',
    )
    .option('--save <file>', 'also write these flags to a configuration file, for --config');
}

/** The flags with the address that stands without one. Throws `bad_flag` (exit 2) where both are given, and differ. */
export function withUrl<T extends PlanFlags>(url: string | undefined, flags: T): T {
  if (url === undefined) return flags;
  if (flags.target === undefined || flags.target === url) return { ...flags, target: url };
  throw new WeighbridgeError({
    code: 'bad_flag',
    message: 'The target is given twice, as an argument and with --target.',
    hint: 'Leave one of them out.',
  });
}

/** Writes what `--save` asks for. Throws `file_exists` or `config_not_written` (exit 2): no file is overwritten. */
export function saveConfig(config: ResolvedConfig, { save }: PlanFlags, say: (line: string) => void): void {
  if (save === undefined) return;
  try {
    writeFileSync(save, formatConfig(config), { flag: 'wx' });
    say(`saved ${resolve(save)}: give it with --config`);
  } catch (cause) {
    const exists = existsSync(save);
    throw new WeighbridgeError({
      code: exists ? 'file_exists' : 'config_not_written',
      message: exists
        ? `The file ${save} of --save already exists.`
        : `The file ${save} of --save cannot be written: ${cause instanceof Error ? cause.message : String(cause)}.`,
      hint: 'Name another file, such as load.yaml.',
      cause,
    });
  }
}

/** Gathers the values of a flag that may be given again. */
function eachOf(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
