import type { Command } from 'commander';
import type { BillPreview } from '../../app/evidence/preview-bill.ts';
import { alignedRows } from '../../text/aligned-rows.ts';

/** Names of the forms that a bill is known in, for help and shells. */
const FORMS = 'openrouter-activity, openai-costs, openai-usage, anthropic-cost, anthropic-usage, focus';

/** The flags of a bill that tells only sums. */
export function billOptions(command: Command): Command {
  return command
    .option(
      '--bill <file...>',
      'bill with only sums by model and day or hour (JSON, CSV), to compare with the calls',
    )
    .option(
      '--bill-mapping <name|file>',
      `how its rows are read (YAML): ${FORMS}, or a file of yours (default: told by the file)`,
    )
    .option(
      '--bill-zone <zone>',
      'time zone of its days, such as UTC, +08:00 or Europe/Berlin (default: detected)',
    )
    .option(
      '--bill-late <duration>',
      'longest time until a charge appears on the bill, such as 15m (default: 6h)',
    )
    .option('--bill-whole', 'the bill contains only these calls, so every difference counts');
}

/** Ten rows of a bill as they are understood, and how many there are. */
export function billPreviewLines({ mapping, shown, rows, spans, unassigned, torn }: BillPreview): string[] {
  const table = shown.map(({ start, end, model, amount, tokens, requests, item }) => [
    start,
    end,
    model ?? '–',
    amount ?? '–',
    tokens ?? '–',
    requests ?? '–',
    item,
  ]);
  const titles = ['from', 'until', 'model', 'USD', 'tokens', 'requests', 'item'];
  return [
    ...alignedRows([titles, ...table], (column) => column < 3),
    `${rows} rows in ${spans} buckets of time are understood, by ${mapping}; the first ${shown.length} are shown`,
    ...(unassigned === 0 ? [] : [`${unassigned} of them are of no model`]),
    ...torn,
  ];
}
