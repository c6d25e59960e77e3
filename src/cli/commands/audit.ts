import { type Command, InvalidArgumentError } from 'commander';
import { askedBaseline, type BaselineFlags } from '../../app/compare/hold-baseline.ts';
import { DEFAULT_OUT } from '../../app/folder/run-folder.ts';
import { pageAddress } from '../../app/live/page/page-address.ts';
import { auditRun } from '../../app/run/audit-run.ts';
import { parseDuration } from '../../config/duration.ts';
import { loadConfig } from '../../config/load-config.ts';
import { DEFAULT_STATE } from '../../contracts/target-folder-name.ts';
import { type AssumeFlag, assumeOption } from '../flags/assume-flag.ts';
import { baselineOptions } from '../flags/baseline-flags.ts';
import {
  type CapacityFlags,
  capacityOptions,
  capacitySearch,
  refuseCounted,
} from '../flags/capacity-flags.ts';
import { type PlanFlags, planOptions, saveConfig, withUrl } from '../flags/plan-flags.ts';
import { printVerdict } from '../terminal/print-answer.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface AuditFlags extends PlanFlags, CapacityFlags, BaselineFlags, AssumeFlag {
  readonly out: string;
  readonly state: string;
  readonly faults?: string;
  readonly journal?: string;
  readonly readings?: string;
  readonly ui?: string | true;
  readonly every?: number;
  readonly keyFile?: readonly string[];
}

const ABOUT = {
  audit: 'Load a gateway, measure what its clients see, and check every charge on its bill.',
  run: 'Load a server and measure its speed and errors, without checking a bill.',
};

export function auditCommand(
  program: Command,
  terminal: Terminal,
  finish: (code: number) => void,
  mode: 'audit' | 'run',
): void {
  assumeOption(baselineOptions(capacityOptions(planOptions(program.command(mode).description(ABOUT[mode])))))
    .option('--out <dir>', 'folder that contains the run folder', DEFAULT_OUT)
    .option(
      '--state <dir>',
      'folder for data that is kept between runs, one subfolder for each target',
      DEFAULT_STATE,
    )
    .option('--faults <file>', 'faults of the embedded gateway: a YAML file, or scenario:NAME')
    .option('--journal <file>', 'file for the journal of the embedded gateway (NDJSON)')
    .option('--readings <file>', 'file with billing settings for the embedded gateway (YAML)')
    .option('--ui [host:port]', 'show the run on a live web page (default: 127.0.0.1 and a free port)')
    .option('--key-file <file...>', 'file with an API key; with several files, calls use the keys in turn')
    .option('--json-progress', 'write progress to stderr as one JSON object per line')
    .option(
      '--every <time>',
      'interval of the schedule that starts this run, such as 24h; a missed run can then raise an alert',
      timeToNext,
    )
    .action(async (url: string | undefined, given: AuditFlags) => {
      const flags = withUrl(url, given);
      const interrupts = terminal.interrupts();
      try {
        const ui = pageAddress(flags.ui);
        const search = capacitySearch(flags, flags.duration);
        const config = loadConfig({
          file: flags.config,
          env: terminal.env,
          flags: search === null ? flags : { ...flags, duration: search.step },
        });
        refuseCounted(search, config);
        saveConfig(config, flags, (line) => terminal.err(line));
        finish(
          await auditRun({
            mode,
            config,
            out: flags.out,
            state: flags.state,
            tell: (report) => printVerdict(terminal, report, flags.json === true),
            ui,
            every_ms: flags.every ?? null,
            embedded: {
              faults: flags.faults ?? null,
              journal: flags.journal ?? null,
              readings: flags.readings ?? null,
            },
            keyFiles: flags.keyFile ?? [],
            assumed: flags.assumeReading ?? [],
            capacity: search?.bounds ?? null,
            baseline: askedBaseline(flags, flags.out),
            notices: terminal,
            interrupts,
          }),
        );
      } finally {
        interrupts.release();
      }
    });
}

function timeToNext(text: string): number {
  const ms = parseDuration(text);
  if (ms !== null && ms > 0) return ms;
  throw new InvalidArgumentError(`expected a time such as 24h, found ${text}`);
}
