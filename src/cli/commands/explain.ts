import type { Command } from 'commander';
import { billUnread } from '../../app/carry-over/write-bundle.ts';
import { DEFAULT_OUT, findFolderOfFinding, findJudgedFolder } from '../../app/folder/run-folder.ts';
import { judgeFolder } from '../../app/judge/judge-folder.ts';
import { usedBooks } from '../../app/judge/used-books.ts';
import { nearestName } from '../../config/nearest-name.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { Plan } from '../../contracts/plan.ts';
import { type ExplainInput, explain, explainableIds } from '../../report/explain/explain.ts';
import { type Explanation, explanationSchema } from '../../report/explain/explanation-schema.ts';
import { renderExplanation } from '../../report/explain/render-explanation.ts';
import { repeatCommand } from '../../report/explain/repeat-call.ts';
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
    .argument('<id>', 'id of a request, call, usage record or finding')
    .description(
      'Show how one charge was calculated and judged: call, usage record, price, sum, and what would refute it.',
    )
    .option(
      '--run <id>',
      'id of a run, or of the audit of a period or ledger (default: the newest under --out that has the finding, else the newest)',
    )
    .option('--out <dir>', 'folder that contains the run folders', DEFAULT_OUT)
    .option('--json', 'print weighbridge.explanation/1 as JSON')
    .action(async (asked: string, flags: ExplainFlags) => {
      const found = flags.run === undefined ? findFolderOfFinding(flags.out, asked) : null;
      const { input, plan } = await explainInput(found ?? findJudgedFolder(flags.out, flags.run));
      const explanation = explain(input, asked);
      if (explanation === null) throw idUnknown(asked, input);
      if (flags.json === true) terminal.out(JSON.stringify(explanationSchema.parse(explanation)));
      else
        for (const line of [...renderExplanation(explanation), ...repeatLines(explanation, input, plan)])
          terminal.out(line);
      finish(EXIT.ok);
    });
}

interface Explained {
  readonly input: ExplainInput;
  /** Null where no plan made the calls. */
  readonly plan: Plan | null;
}

async function explainInput(runDir: string): Promise<Explained> {
  // Rows that were accepted together would have no judgement of their own.
  const judged = await judgeFolder(runDir, { memory_bytes: 0 });
  const { reconciliation, basis } = judged;
  if (reconciliation !== null) {
    const run_id = (judged.period ?? judged.plan)?.run_id ?? '';
    const input = { run_id, basis, reconciliation, books: usedBooks(runDir) };
    return { input, plan: judged.period === null ? judged.plan : null };
  }
  throw billUnread(runDir);
}

/** How to send the first call of an explanation once more; nothing where its body is not known. */
function repeatLines(
  { rows }: Explanation,
  { reconciliation }: ExplainInput,
  plan: Plan | null,
): readonly string[] {
  const id = rows.find(({ call }) => call !== null)?.call?.call_id ?? null;
  const row = reconciliation.calls.find(({ call_id }) => id !== null && call_id === id)?.row ?? null;
  const command = plan === null || row === null ? null : repeatCommand(plan, row);
  return command === null ? [] : ['', `To repeat the call ${id}, which is charged again:`, command];
}

function idUnknown(asked: string, input: ExplainInput): WeighbridgeError {
  const near = nearestName(asked, explainableIds(input));
  return new WeighbridgeError({
    code: 'id_not_found',
    message: `The run ${input.run_id} has no call, request, record or finding with the id ${asked}.`,
    hint:
      near === null
        ? 'Copy an id from findings.ndjson, or from rows.ndjson of `weighbridge report --format rows.ndjson`.'
        : `Did you mean ${near}? Give another run with --run.`,
  });
}
