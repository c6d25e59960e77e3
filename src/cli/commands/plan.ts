import { writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { makeFolder, storeReplay } from '../../app/folder/run-folder.ts';
import { WELL_BEHAVED } from '../../app/gateway/embedded-gateway.ts';
import { type LoadOffer, planOffered, readLoadOfferOnce } from '../../app/target/load-offer.ts';
import { offeredModels } from '../../app/target/offer.ts';
import { openTarget } from '../../app/target/weighed-target.ts';
import { loadConfig } from '../../config/load-config.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { coverLines, coverPrices } from '../../plan/cover-prices.ts';
import { planTarget } from '../../plan/plan-target.ts';
import type { ResolvedPlan } from '../../plan/resolve-plan.ts';
import { newRunId } from '../../plan/run-id.ts';
import { type PlanFlags, planOptions, saveConfig, withUrl } from '../flags/plan-flags.ts';
import { printAnswer } from '../terminal/print-answer.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { planLines } from './plan-lines.ts';

export function planCommand(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  planOptions(program.command('plan').description('show what a run would call and cost; sends no paid call'))
    .option('--out <file>', 'write the plan there, for a k6 run by hand (WEIGHBRIDGE_PLAN); needs a target')
    .addOption(
      new Option(
        '--cover <what>',
        'instead: the cheapest calls found that go over every price line of the book once',
      )
        .choices(['prices'])
        .conflicts('out'),
    )
    .action(
      async (
        url: string | undefined,
        given: PlanFlags & { readonly out?: string; readonly cover?: string },
      ) => {
        const flags = withUrl(url, given);
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
          const resolved = planOffered(config, weighed.target, offer, { runId, now, ...cap });
          if (flags.out !== undefined) writePlan(flags.out, resolved);
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
      message: `--cover prices: expected a price book that can be read in full, found ${offer.bookProblems.join('; ')}`,
      hint: 'name a book of your own as billing.book.file, or a mapping for its layout as billing.book.mapping',
      exitCode: EXIT.inconclusive,
    });
  }
  const cover = coverPrices(offer.book, offeredModels(offer));
  printAnswer(terminal, json, cover, () => coverLines(cover, cap));
}

/** The plan alone, and beside it the starts that it replays. */
function writePlan(path: string, { plan, replay }: ResolvedPlan): void {
  const folder = dirname(resolve(path));
  makeFolder(folder);
  try {
    writeFileSync(path, `${JSON.stringify(plan, null, 2)}\n`);
  } catch (cause) {
    throw new WeighbridgeError({
      code: 'plan_not_written',
      message: `--out: expected a file that can be written, found ${cause instanceof Error ? cause.message : String(cause)}`,
      hint: 'name a file such as plan.json, not a folder',
      cause,
    });
  }
  if (replay !== null) storeReplay(folder, replay);
}

function goneWithThis(): WeighbridgeError {
  return new WeighbridgeError({
    code: 'target_missing',
    message:
      'expected a target for the plan that --out writes, found none: the embedded gateway ends with this command',
    hint: 'start `weighbridge gateway` by hand and give its address as --target',
  });
}
