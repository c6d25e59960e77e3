import { EXIT } from '../exit-code.ts';
import type { ErrorEntry } from './error-entry.ts';

/** Errors of flags, of what several flags say together, and of the program itself. */
export const COMMAND_ERRORS = {
  usage: {
    means: 'The command line has an unknown command, an unknown flag or a missing value.',
    why: 'A command starts only when it understands every word of its command line.',
    fix: 'Run the command with `--help`. It lists every flag with its meaning.',
  },
  bad_flag: {
    means: 'A flag has a value that it cannot take, or a flag that the command needs is missing.',
    why: 'Every flag is checked before the command does any work.',
    fix: 'Correct the flag that the message names. `--help` shows what it takes.',
  },
  flag_alone: {
    means: 'A flag was given without the flag that it changes.',
    why: 'The flag has no effect alone, so the command would not do what you expect.',
    fix: 'Give both flags, or leave the named one out.',
  },
  due_alone: {
    means: '`reconcile --due` was given together with a run, a period or files.',
    why: '`--due` finds the runs to read again by itself.',
    fix: 'Leave out `--due`, or leave out the other flag.',
  },
  embedded_only: {
    means: 'A flag of the embedded gateway was given, and a target is configured too.',
    why: 'The flag changes the embedded gateway, which does not start when there is a target.',
    fix: 'Leave out the flag, or leave out the target.',
  },
  period_invalid: {
    means: 'The period to audit is not valid.',
    why: 'An audit needs one period with a start before its end, and the start must be in the past.',
    fix: 'Give `--month 2026-10`, or `--from 2026-10-01 --to 2026-10-08`. Times are UTC, and the end is not part of the period.',
  },
  gate_invalid: {
    means: '`--gate` does not name a severity, an amount and classes of findings.',
    why: 'The gate decides which findings end the command with exit status 5.',
    fix: 'Give a value such as `--gate S2`, `--gate S3:0.01` or `--gate S3:0:duplicate_charge`.',
  },
  min_checked_invalid: {
    means: '`--min-checked` is not a number from 0 to 1.',
    why: 'It is the share of the charged money that must be checked.',
    fix: 'Give a share such as `--min-checked 0.9`, which means 90 %.',
  },
  memory_invalid: {
    means: '`--memory` is neither 0 nor a size of at least 1 GB.',
    why: 'The audit of large bills uses this much memory, and needs at least 1 GB.',
    fix: 'Give a size such as `--memory 2GB`, or leave the flag out.',
  },
  bill_late_invalid: {
    means: '`--bill-late` is not a duration.',
    why: 'The audit needs to know how late a charge can appear on the bill.',
    fix: 'Give a duration such as `15m` or `6h`, or leave the flag out for 6 hours.',
  },
  assume_reading_invalid: {
    means: '`--assume-reading` does not give a known setting and one of its values.',
    why: 'A setting decides how charges are calculated, so it must be one that the audit knows.',
    fix: 'Give `NAME=VALUE` with a name and a value from the list in the message.',
  },
  records_ambiguous: {
    means: 'The usage records were given in more than one way.',
    why: 'One audit reads its records from one place.',
    fix: 'Give either `--records` with files, or one address.',
  },
  upstream_model_invalid: {
    means: '`--upstream-model` does not have the form `SOLD=BOUGHT`.',
    why: 'The audit needs both model names to connect what was sold with what was bought.',
    fix: 'Give a pair such as `--upstream-model fast=gpt-5-mini`.',
  },
  group_unknown: {
    means: '`--by` names a group that the records do not have.',
    why: 'The bill can be grouped only by fields that the records or their mapping name.',
    fix: 'Give one of the groups in the message. [Record files](records.md) lists those of each mapping.',
  },
  ui_address_invalid: {
    means: '`--ui` is not an address and a port.',
    why: 'The live page needs an address to listen on.',
    fix: 'Give an address such as `--ui 127.0.0.1:8080`, or `--ui` alone for a free port.',
  },
  baseline_invalid: {
    means: '`--baseline` and `--max-regression` cannot be used as given.',
    why: 'A comparison needs an earlier run with calls and a limit for what may get worse.',
    fix: 'Give both, such as `--baseline last-good --max-regression ttft_p95=10%`.',
  },
  comparison_invalid: {
    means: '`--compare` names runs that cannot be compared.',
    why: 'A comparison needs at least two finished runs.',
    fix: 'Give the ids of runs under `--out`. Name the run to compare with first.',
  },
  prune_unbounded: {
    means: '`reports --prune` was given without a limit.',
    why: 'Without a limit it would delete every run.',
    fix: 'Give `--keep 30` or `--older-than 90d`. `--dry-run` shows what would be deleted.',
  },
  interrupted: {
    exit: EXIT.interrupted,
    means: 'You stopped the command before it sent anything.',
    why: 'Ctrl-C or SIGTERM ends a command.',
    fix: 'You need to do nothing. No call was made, and nothing was charged.',
  },
  internal: {
    exit: EXIT.internal,
    means: 'Weighbridge has a bug.',
    why: 'The program reached a state that it should never reach.',
    fix: 'Please report the error with all lines that were printed.',
  },
  disk: {
    exit: EXIT.internal,
    means: 'A file could not be written or read.',
    why: 'The disk is full or damaged, or the folder cannot be written.',
    fix: 'Free some space, or choose another folder with `--out` and `--state`. Then run `reconcile --ledger` on the folder of the run.',
  },
  stdout_failed: {
    exit: EXIT.internal,
    means: 'The result could not be written to standard output.',
    why: 'The program that reads the output has ended, or the disk behind it is full.',
    fix: 'Run the command again. The files of a run are complete, and `weighbridge report` shows them again.',
  },
} satisfies Record<string, ErrorEntry>;
