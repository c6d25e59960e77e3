import type { Command } from 'commander';
import { billUnread } from '../../app/carry-over/write-bundle.ts';
import { DEFAULT_OUT, findJudgedFolder } from '../../app/folder/run-folder.ts';
import { judgeFolder } from '../../app/judge/judge-folder.ts';
import { usedBooks } from '../../app/judge/used-books.ts';
import { nearestName } from '../../config/nearest-name.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { type ExplainInput, explain, explainableIds } from '../../report/explain/explain.ts';
import { explanationSchema } from '../../report/explain/explanation-schema.ts';
import { renderExplanation } from '../../report/explain/render-explanation.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface ExplainFlags {
  readonly run?: string;
  readonly out: string;
  readonly json?: boolean;
}

/** `weighbridge explain`. */
export function explainCommand(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  program
    .command('explain')
    .argument('<id>', 'request id, call id, record id, or id of a finding')
    .description(
      'one call or finding: call, record, price line, the sum term by term, why it is judged so, what would refute it',
    )
    .option(
      '--run <id>',
      'id of a run, or of the audit of a period or ledger (default: the newest under --out)',
    )
    .option('--out <dir>', 'parent of the run folders', DEFAULT_OUT)
    .option('--json', 'weighbridge.explanation/1, for programs')
    .action(async (asked: string, flags: ExplainFlags) => {
      const input = await explainInput(findJudgedFolder(flags.out, flags.run));
      const explanation = explain(input, asked);
      if (explanation === null) throw idUnknown(asked, input);
      if (flags.json === true) terminal.out(JSON.stringify(explanationSchema.parse(explanation)));
      else for (const line of renderExplanation(explanation)) terminal.out(line);
      finish(EXIT.ok);
    });
}

async function explainInput(runDir: string): Promise<ExplainInput> {
  // Rows that were accepted together would have no judgement of their own.
  const judged = await judgeFolder(runDir, { memory_bytes: 0 });
  const { reconciliation, basis } = judged;
  if (reconciliation !== null) {
    const run_id = (judged.period ?? judged.plan)?.run_id ?? '';
    return { run_id, basis, reconciliation, books: usedBooks(runDir) };
  }
  throw billUnread(runDir);
}

function idUnknown(asked: string, input: ExplainInput): WeighbridgeError {
  const near = nearestName(asked, explainableIds(input));
  return new WeighbridgeError({
    code: 'id_not_found',
    message: `expected the id of a call, request, record or finding of ${input.run_id}, found ${asked}`,
    hint:
      near === null
        ? 'ids stand in findings.ndjson, and in rows.ndjson of `weighbridge report --format rows.ndjson`'
        : `did you mean ${near}? --run names another run`,
  });
}
