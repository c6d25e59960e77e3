import type { Command } from 'commander';
import { WELL_BEHAVED } from '../../app/gateway/embedded-gateway.ts';
import { freeName, refuseExisting, writeConfig } from '../../app/init/write-config.ts';
import { writeMapping } from '../../app/init/write-mapping.ts';
import { planOffered } from '../../app/target/load-offer.ts';
import { type Offer, readOfferOnce } from '../../app/target/offer.ts';
import { credentialMissing, openTarget, type WeighedTarget } from '../../app/target/weighed-target.ts';
import { DEFAULT_PLAN_FILE, loadConfig } from '../../config/load-config.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { planTarget } from '../../plan/plan-target.ts';
import { newRunId } from '../../plan/run-id.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { forecastLines } from './plan-lines.ts';
import { previewLines } from './preview-lines.ts';

interface InitFlags {
  readonly target?: string;
  /** By default a free name. */
  readonly out?: string;
  readonly pricebook?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** `weighbridge init`. */
export function initCommand(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  program
    .command('init')
    .description(
      'Write a commented configuration for a gateway, from its models and prices. Sends no paid call.',
    )
    .option(
      '--target <url>',
      'gateway to configure; its address may end in /v1 or /api (default: the embedded gateway)',
    )
    .option(
      '--out <file>',
      'configuration file to write (default: weighbridge.yaml, or a file named after the gateway if that exists)',
    )
    .option('--pricebook <file>', 'your own price list: show its prices, and write a mapping for it')
    .option('--force', 'replace an existing file')
    .option('--json', 'print the result as one JSON line')
    .action(async (flags: InitFlags) => finish(await init(flags, terminal)));
}

async function init(flags: InitFlags, terminal: Terminal): Promise<number> {
  const { env } = terminal;
  const target = flags.target === undefined ? {} : { target: flags.target };
  const config = loadConfig({ file: DEFAULT_PLAN_FILE, env, flags: target });
  const replace = flags.force === true;
  const out = flags.out ?? freeName(planTarget(config.target)?.root ?? null, replace);
  if (!replace) refuseExisting(out);
  const now = Date.now();
  const weighed = await openTarget(config, env, WELL_BEHAVED, new AbortController().signal, newRunId(now));
  try {
    if (weighed.credentials.apiKey === null) throw credentialMissing();
    const own = flags.pricebook === undefined ? null : writeMapping(flags.pricebook, { out, replace });
    const listed = await readOfferOnce(weighed.client, config.billing);
    const offer = own === null ? listed : { ...listed, book: own.book, bookProblems: own.problems };
    if (own !== null && own.preview !== null && flags.json !== true)
      for (const line of previewLines(own.preview)) terminal.out(line);
    writeConfig(weighed.target, offer, { file: out, replace, billing: own?.billing });
    if (own !== null && own.mapping !== null)
      terminal.err(`wrote ${own.mapping}, the mapping for the price list`);
    printWritten({ out, json: flags.json === true }, weighed, offer, now, terminal);
    return EXIT.ok;
  } finally {
    await weighed.close();
  }
}

/** What the file would call and cost, from the file as it was written. */
function printWritten(
  { out, json }: { readonly out: string; readonly json: boolean },
  { target }: WeighedTarget,
  offer: Offer,
  now: number,
  terminal: Terminal,
): void {
  const config = loadConfig({ file: out, env: terminal.env, flags: {} });
  const resolved = planOffered(config, target, offer, { runId: newRunId(now), now, cap: 'optional' });
  for (const problem of offer.bookProblems) terminal.err(`price book: ${problem}`);
  if (json) {
    const { chosen, forecast, notes } = resolved;
    terminal.out(JSON.stringify({ file: out, target: target.root, chosen, forecast, notes }));
    return;
  }
  for (const line of forecastLines(resolved)) terminal.out(line);
  const cap = target.embedded ? '' : ' --max-spend-usd X';
  const named = out === 'weighbridge.yaml' ? '' : ` --config ${out}`;
  terminal.out(`wrote ${out}; next: weighbridge plan${named}, then weighbridge audit${named}${cap}`);
}
