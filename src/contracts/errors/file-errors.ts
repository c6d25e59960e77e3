import { EXIT } from '../exit-code.ts';
import type { ErrorEntry } from './error-entry.ts';

/** Errors of run folders, ledgers and files that outlive a run. */
export const FILE_ERRORS = {
  run_not_found: {
    means: 'There is no run with this id, or there is no run at all.',
    why: 'A run is a folder with a plan.json, by default under `reports/`.',
    fix: 'Give an id that `weighbridge history` lists, or the other folder with `--out`.',
  },
  id_not_found: {
    means: 'The run has no call, request, record or finding with this id.',
    why: '`explain` looks for the id in one run only.',
    fix: 'Copy an id from findings.csv or rows.ndjson, or name another run with `--run`.',
  },
  out_unwritable: {
    means: 'The folder of `--out` cannot be written.',
    why: 'Every run writes its files there before it sends a call.',
    fix: 'Give `--out` a folder that you can write to.',
  },
  out_not_empty: {
    means: 'The folder of `--out` already contains files.',
    why: 'Manifests are written only to a new folder, so that none of your changes is lost.',
    fix: 'Name a new folder. Keep your own changes in a kustomize overlay beside it.',
  },
  ledger_missing: {
    means: 'There are no ledger files at the path that you gave.',
    why: 'A ledger lists the calls that were made. Without it there is nothing to compare.',
    fix: 'Give the folder of the run, or the folder that k6 wrote to.',
  },
  ledger_empty: {
    means: 'The ledger contains no calls.',
    why: 'The audit takes its period from the calls.',
    fix: 'Give the ledger of the calls to audit, or give a period with `--month`.',
  },
  ledger_corrupt: {
    exit: EXIT.internal,
    means: 'A line of a ledger file is damaged. The exit status is 2 for a file that you named.',
    why: 'A crash can damage only the last line of a file.',
    fix: 'Restore the file from a copy, or leave it out.',
  },
  ledger_mixed: {
    means: 'The files come from more than one run.',
    why: 'One audit judges one run.',
    fix: 'Give the folders of one run at a time.',
  },
  ledger_clash: {
    means: 'Two ledger files have the same name and different content.',
    why: 'Two load engines wrote under one name, so their calls would be mixed up.',
    fix: 'Give each load engine its own `WEIGHBRIDGE_INSTANCE`. If one file is a partial copy, remove it.',
  },
  ledger_format_unknown: {
    means: '`--ledger-format` names an unknown format.',
    why: 'The format decides how each line is read.',
    fix: 'Give one of the formats in the message, or leave the flag out. [Ledgers of other programs](evidence.md) shows each format.',
  },
  instances_alike: {
    means: 'Two load engines of the run used the same instance name.',
    why: 'Their calls have the same ids and cannot be told apart, so nothing was judged.',
    fix: 'Run again with another `WEIGHBRIDGE_INSTANCE` for each load engine. `reconcile --month` can check the cost by the records alone.',
  },
  evidence_missing: {
    means: 'A file of calls cannot be read.',
    why: 'The path is wrong, or it is a folder.',
    fix: 'Give the path of an NDJSON, JSON or CSV file.',
  },
  evidence_unknown: {
    means: 'The format of a file of calls is not known.',
    why: 'Its first rows fit none of the formats that Weighbridge reads.',
    fix: 'Name the format with `--ledger-format`. CSV files need a mapping with `--columns`. [Ledgers of other programs](evidence.md) shows each format.',
  },
  evidence_corrupt: {
    means: 'An entry in a file of calls cannot be read.',
    why: 'A call that cannot be read would be missing from the audit.',
    fix: 'Correct the entry or its mapping, or export the file again.',
  },
  evidence_columns: {
    means: 'The mapping of CSV columns cannot be used.',
    why: 'It does not exist, or it names a column that the file does not have.',
    fix: 'Correct the file of `--columns`. [Ledgers of other programs](evidence.md) shows a complete mapping.',
  },
  evidence_unreadable: {
    means: 'The file evidence.json of the audit is damaged.',
    why: 'It lists the files that the audit was made from.',
    fix: 'Run `weighbridge reconcile --ledger` on the files again.',
  },
  records_missing: {
    means: 'There is no file of usage records at the path that you gave.',
    why: 'The audit compares calls with these records.',
    fix: 'Give the path of an NDJSON, JSON, CSV or Parquet file, or the address of a gateway.',
  },
  records_corrupt: {
    means: 'A line in a file of usage records cannot be read.',
    why: 'A record that cannot be read would be missing from the bill.',
    fix: 'Correct the line, or export the records again. [Record files](records.md) shows each format.',
  },
  mapping_missing: {
    means: 'There is no mapping with this name or at this path.',
    why: 'The mapping says which column means what.',
    fix: 'Give the path of a mapping file, or one of the ready mappings in the message.',
  },
  usage_corrupt: {
    means: 'A file of usage records in the run folder is damaged.',
    why: 'A verdict on damaged records would be wrong.',
    fix: 'Restore the file as it was written, or read the usage again with `weighbridge reconcile --run ID`.',
  },
  upstream_missing: {
    means: 'There is no file for `--upstream`.',
    why: 'The margin compares what was sold with what the gateway bought.',
    fix: 'Give the file of what the gateway bought with `--upstream FILE`.',
  },
  upstream_unknown: {
    means: 'The format of the file for `--upstream` is not known.',
    why: 'Its first rows fit no known format, or more than one.',
    fix: 'Name the format with `--upstream-mapping`. Give a bill that has only sums with `--bill`.',
  },
  upstream_corrupt: {
    means: 'A line of the bought calls in the run folder is damaged.',
    why: 'The margin would be wrong without it.',
    fix: 'Give the file again with `--upstream`.',
  },
  upstream_pricebook_missing: {
    means: 'The ledger for `--upstream` has no prices.',
    why: 'A ledger contains calls but no charges, so it needs a price list.',
    fix: 'Give the price list of the provider with `--upstream-pricebook FILE`.',
  },
  journal_corrupt: {
    means: 'A line of a journal of the embedded gateway is damaged.',
    why: 'A call would be missing without it.',
    fix: 'Give the journal again, as the gateway wrote it with `--journal`.',
  },
  statement_invalid: {
    means: 'The account statement cannot be used.',
    why: 'The audit needs both balances and each top-up to check the account.',
    fix: 'Give the opening balance, the closing balance and each top-up. [Reports](report-format.md) shows the file.',
  },
  claims_corrupt: {
    means: 'The file of claims is damaged.',
    why: 'It prevents that the same amount is claimed twice.',
    fix: 'Restore the line as it was written.',
  },
  claim_not_found: {
    means: 'There is no bundle and no claim with this id.',
    why: 'Only recorded claims can change their state.',
    fix: 'Copy an id from the list of `weighbridge claims`.',
  },
  claim_credited: {
    means: 'The claim was already credited.',
    why: 'A credited amount is never claimed again.',
    fix: 'You need to do nothing.',
  },
  bundle_unwritable: {
    means: 'The bundle could not be written.',
    why: 'Its folder does not exist or cannot be written.',
    fix: 'Give `--bundle` a file in a folder that you can write to.',
  },
  suspense_corrupt: {
    means: 'The file of open items is damaged.',
    why: 'It carries charges that are not final yet from one run to the next.',
    fix: 'Restore the file. If you move it away, open items are counted from the next run on.',
  },
  known_corrupt: {
    means: 'A file of records that disappeared is damaged.',
    why: 'It says which records were once served and are missing now.',
    fix: 'Remove the file, and run `weighbridge reconcile --run ID` again.',
  },
  archive_corrupt: {
    means: 'The index of the archive is damaged.',
    why: 'It says when each price list was served.',
    fix: 'Restore the file. If you move the archive away, a new one begins with the next read.',
  },
  scheduled_run_unreadable: {
    means: 'The file about the last scheduled run is damaged.',
    why: 'Prometheus gets its numbers from this file.',
    fix: 'Remove the file. The next scheduled run writes it again.',
  },
  metrics_file_unwritable: {
    means: 'The file of `--metrics-file` cannot be written.',
    why: 'Its folder does not exist or cannot be written.',
    fix: 'Give a path in an existing folder, such as the one that node_exporter reads.',
  },
  period_unreadable: {
    means: 'The file period.json of the audit is damaged.',
    why: 'It says which period was audited.',
    fix: 'Run `reconcile --month` again.',
  },
  baseline_unreadable: {
    means: 'The file baseline.json of the run is damaged.',
    why: 'It says which run this one was compared with.',
    fix: 'Run `report --baseline` again, or remove the file.',
  },
  capacity_unreadable: {
    means: 'The file capacity.json of the run is damaged.',
    why: 'It contains the steps of the capacity search.',
    fix: 'Restore the file, or remove it to judge the run without the search.',
  },
  build_unreadable: {
    means: 'The file build.json of the run is damaged.',
    why: 'It says which version of Weighbridge made the run.',
    fix: 'Restore the file, or remove it.',
  },
  command_unreadable: {
    means: 'The file command.json of the run is damaged.',
    why: 'It contains the flags of the run.',
    fix: 'Restore the file, or remove it.',
  },
  gate_unreadable: {
    means: 'The file gate.json of the run is damaged.',
    why: 'It contains the limits that decide the exit status.',
    fix: 'Restore the file, or remove it to use the default limits.',
  },
  assumed_unreadable: {
    means: 'The file of assumed settings of the run is damaged.',
    why: 'It says how charges are calculated.',
    fix: 'Restore the file, or give `--assume-reading` again.',
  },
  raw_unreadable: {
    means: 'The file raw.json of the audit is damaged.',
    why: 'It lists the copied files of other programs.',
    fix: 'Run `weighbridge reconcile` with `--keep-raw` again.',
  },
  store_unreadable: {
    exit: EXIT.internal,
    means: 'DuckDB could not read a line of the run folder.',
    why: 'The line is damaged or has an unexpected form.',
    fix: 'Restore the file as it was written, or read the usage again.',
  },
  store_failed: {
    exit: EXIT.internal,
    means: 'DuckDB could not process the rows of a large bill.',
    why: 'It ran out of memory or of temporary disk space.',
    fix: 'Give more memory with `--memory`, or free some space in the temporary folder.',
  },
  acceptance_contradicted: {
    exit: EXIT.internal,
    means: 'Two ways to check one call gave different results.',
    why: 'This is a bug in Weighbridge.',
    fix: 'Please report it. `--memory 0` checks every row the slower way.',
  },
} satisfies Record<string, ErrorEntry>;
