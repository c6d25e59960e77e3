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
    .option('--config <file>', 'configuration (default: ./weighbridge.yaml, else the default plan)')
    .argument('[url]', 'server to load: root, /v1 or /api form (default: the embedded gateway)')
    .option('--target <url>', 'the same as the argument')
    .addOption(dialectOption())
    .option('--max-spend-usd <x>', 'most that the run may cost in the worst case; needed where a bill comes')
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
    .option(
      '--objective <bounds>',
      'bound that decides exit code 4, such as ttft_p95=800ms or error_share=1%, by commas; KIND. before it names one kind (may be repeated)',
      eachOf,
    )
    .option('--json', 'last line of stdout for programs');
}

/** How the target serves its bill. */
function dialectOption(): Option {
  return new Option(
    '--dialect <name>',
    'how the target serves usage and prices (default: auto, which looks)',
  ).choices(DIALECT_SETTINGS);
}

/** The flags that stand for one entry of the traffic. */
function lineOptions(command: Command): Command {
  return command
    .option('--model <id>', 'model to call (default: the cheapest priced one, else the first of the list)')
    .option(
      '--rate <n/s>',
      'calls per second, minute or hour, such as 5, 5/s or 90/m (default: 2/s, or the configuration)',
    )
    .option('--concurrency <n>', 'in place of a rate: so many calls under way at all times')
    .option('--request-count <n>', 'end after so many calls; alone: one after the other')
    .addOption(new Option('--kind <kind>', 'what is called (default: chat)').choices(PAID_KINDS))
    .option('--stream', 'stream every call (default: half of them)')
    .option('--no-stream', 'stream none')
    .option('--prompt-tokens <n>', 'size of each prompt, about (default: 200)')
    .option('--max-tokens <n>', 'most tokens of each answer (default: 128)')
    .option(
      '--prompt-file <file>',
      'prompts of your own, one a line or NDJSON with a "prompt"; a marker stands before each',
    )
    .option(
      '--permission <name:date>',
      'who allows more than 2 calls/s or 5 in flight on a server of others, and until when, such as ops:2026-12-31',
    )
    .option(
      '--max-calls <n>',
      'most calls of the run; needed, or a guess, where a server of others has no prices',
    )
    .option(
      '--assume-usd-per-call <x>',
      'your guess where there are no prices; --max-spend-usd then bounds the calls',
    )
    .option(
      '--save <file>',
      'write the configuration that the flags stand for, for --config; what was asked for runs too',
    );
}

/** The flags with the address that stands without one. Throws `bad_flag` (exit 2) where both are given, and differ. */
export function withUrl<T extends PlanFlags>(url: string | undefined, flags: T): T {
  if (url === undefined) return flags;
  if (flags.target === undefined || flags.target === url) return { ...flags, target: url };
  throw new WeighbridgeError({
    code: 'bad_flag',
    message: 'expected one address, found an argument and --target',
    hint: 'leave one of them out',
  });
}

/** Writes what `--save` asks for. Throws `file_exists` or `config_not_written` (exit 2): no file is overwritten. */
export function saveConfig(config: ResolvedConfig, { save }: PlanFlags, say: (line: string) => void): void {
  if (save === undefined) return;
  try {
    writeFileSync(save, formatConfig(config), { flag: 'wx' });
    say(`saved ${resolve(save)}, for --config`);
  } catch (cause) {
    const exists = existsSync(save);
    throw new WeighbridgeError({
      code: exists ? 'file_exists' : 'config_not_written',
      message: `--save: expected ${exists ? `no file at ${save} yet, found one` : `a file that can be written, found ${cause instanceof Error ? cause.message : String(cause)}`}`,
      hint: 'name another file, such as load.yaml',
      cause,
    });
  }
}

/** Gathers the values of a flag that may be given again. */
function eachOf(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
