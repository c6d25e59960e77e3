import { dirname } from 'node:path';
import { type Command, Option } from 'commander';
import { WELL_BEHAVED } from '../../app/gateway/embedded-gateway.ts';
import { handOutPlan } from '../../app/spend/hand-out-plan.ts';
import { type LoadOffer, planOffered, readLoadOfferOnce } from '../../app/target/load-offer.ts';
import { offeredModels } from '../../app/target/offer.ts';
import { stateHome } from '../../app/target/state-home.ts';
import { openTarget } from '../../app/target/weighed-target.ts';
import { budgetLimits } from '../../config/budget-schema.ts';
import { loadConfig } from '../../config/load-config.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { DEFAULT_STATE } from '../../contracts/target-folder-name.ts';
import { coverLines, coverPrices } from '../../plan/cover-prices.ts';
import { planTarget } from '../../plan/plan-target.ts';
import { newRunId } from '../../plan/run-id.ts';
import { type PlanFlags, planOptions, saveConfig, withUrl } from '../flags/plan-flags.ts';
import { printAnswer } from '../terminal/print-answer.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { planLines } from './plan-lines.ts';

export function planCommand(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  planOptions(
    program
      .command('plan')
      .description('Show what a run would call and what it can cost. Sends no paid call.'),
  )
    .option(
      '--out <file>',
      'write the plan to this file, to run k6 by hand (WEIGHBRIDGE_PLAN); needs a target',
    )
    .option(
      '--instances <n>',
      'number of load engines; with --out the budget reserves the whole cap until `reconcile` settles it',
    )
    .option('--state <dir>', 'folder with the budget of the target', DEFAULT_STATE)
    .addOption(
      new Option('--cover <what>', 'plan the cheapest calls that use every price of the price list once')
        .choices(['prices'])
        .conflicts(['out', 'instances']),
    )
    .action(
      async (
        url: string | undefined,
        given: PlanFlags & {
          readonly out?: string;
          readonly cover?: string;
          readonly instances?: string;
          readonly state: string;
        },
      ) => {
        const flags = withUrl(url, given);
        const instances = instancesOf(flags.instances);
        const config = loadConfig({ file: flags.config, env: terminal.env, flags: flags });
        saveConfig(config, flags, (line) => terminal.err(line));
        if (flags.out !== undefined && planTarget(config.target) === null) throw goneWithThis();
        const now = Date.now();
        const runId = newRunId(now);
        const { signal } = new AbortController();
        const weighed = await openTarget(config, terminal.env, WELL_BEHAVED, signal, runId);
        try {
          const offer = await readLoadOfferOnce(weighed, config.billing);
          if (flags.cover !== undefined) {
            printCover(terminal, offer, flags.json === true, config.spend.max_usd);
            finish(EXIT.ok);
            return;
          }
          // One asks here what the cap of a run must be, and nothing paid is sent; a plan that is driven has one.
          const cap = flags.out === undefined ? { cap: 'optional' as const } : {};
          const resolved = planOffered(config, weighed.target, offer, { runId, now, instances, ...cap });
          if (flags.out !== undefined) {
            const home =
              instances === undefined ? null : stateHome(flags.state, weighed.target, terminal.err);
            await handOutPlan(flags.out, resolved, { home, limits: budgetLimits(config.target.budget) });
            const reserved = resolved.plan.cap.max_spend_usd;
            if (home !== null && reserved !== null) terminal.err(reservedWords(reserved, flags.out));
          }
          // The starts of a trace are the file's, not what one asks here.
          const { replay: _starts, ...shown } = resolved;
          if (flags.json === true) terminal.out(JSON.stringify(shown, null, 2));
          else for (const line of planLines(resolved, config)) terminal.out(line);
          finish(EXIT.ok);
        } finally {
          await weighed.close();
        }
      },
    );
}

function printCover(terminal: Terminal, offer: LoadOffer, json: boolean, cap: string | null): void {
  if (offer.book === null) {
    throw new WeighbridgeError({
      code: 'book_not_read',
      message: `--cover prices needs a price list that can be read in full: ${offer.bookProblems.join('; ')}.`,
      hint: 'Name your own price list as billing.book.file, or a mapping for its layout as billing.book.mapping.',
    });
  }
  const cover = coverPrices(offer.book, offeredModels(offer));
  printAnswer(terminal, json, cover, () => coverLines(cover, cap));
}

function reservedWords(usd: string, file: string): string {
  return `The budget reserves the whole cap of $${usd} until you run \`weighbridge reconcile --ledger ${dirname(file)}\`.`;
}

/** Throws `bad_flag` (exit 2). */
function instancesOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw new WeighbridgeError({
    code: 'bad_flag',
    message: `--instances must be a whole number from 1 to 9999, but it is ${JSON.stringify(text)}.`,
    hint: 'Give the number of load engines, such as --instances 3.',
  });
}

function goneWithThis(): WeighbridgeError {
  return new WeighbridgeError({
    code: 'target_missing',
    message:
      'A plan for --out needs a target, and none is given. The embedded gateway ends with this command.',
    hint: 'Give --target URL. To use the embedded gateway, start `weighbridge gateway` yourself.',
  });
}
