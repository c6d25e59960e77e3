import { setTimeout as delay } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import type { EmbeddedReady } from '../../app/gateway/embedded-gateway.ts';
import {
  faultCatalogue,
  faultCatalogueLines,
  type GatewayRequest,
  quirkHelp,
  serveGateway,
} from '../../app/gateway/serve-gateway.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { lifelineOf } from '../terminal/parent-watch.ts';
import { printAnswer } from '../terminal/print-answer.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface GatewayFlags extends GatewayRequest {
  readonly listFaults?: boolean;
  readonly json?: boolean;
}

export function gatewayCommand(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  program
    .command('gateway')
    .description('Run the embedded test gateway, with faults that you choose, until SIGTERM.')
    .option('--port <n>', 'port on 127.0.0.1; 0 means any free port', parsePort, 8787)
    .option('--seed <n>', 'seed of outputs, latency and fault decisions', parseSeed, 1)
    .option('--faults <file>', 'fault plan (YAML), or scenario:NAME')
    .option('--no-fault-header', 'ignore the header X-Weighbridge-Fault')
    .option('--list-faults', 'print every fault and scenario, and exit')
    .option('--journal <file>', 'append every call and every fault to this file (NDJSON)')
    .option('--latency <preset>', 'fast, realistic, slow, overloaded, or a latency plan (YAML)', 'realistic')
    .option('--readings <file>', 'file with billing settings that the interface does not fix (YAML)')
    .option('--data <dir>', 'keep accounts, jobs and charges in this folder after the gateway ends')
    .option('--upstream', 'accept any key, for use behind another gateway')
    .option('--plain', 'serve models without prices, usage records and keys, as most model servers do')
    .option('--dialect <name>', 'behave like another gateway: interface, new-api or litellm', 'interface')
    .option('--quirks <list>', 'quirks of --plain or --dialect, separated by commas')
    .option('--json', 'print one JSON line with addresses and temporary credentials when it is ready')
    .addHelpText('after', quirkHelp)
    .action(async (flags: GatewayFlags) => {
      if (flags.listFaults === true) {
        printAnswer(terminal, flags.json, faultCatalogue(), faultCatalogueLines);
        return finish(EXIT.ok);
      }
      const interrupts = terminal.interrupts();
      const gateway = await serveGateway(flags);
      for (const note of gateway.notes) terminal.err(note);
      if (flags.plain === true) {
        const { base_url, api_key } = gateway.ready;
        const ready = flags.quirks?.split(',').includes('needs-key') ? { base_url, api_key } : { base_url };
        printAnswer(terminal, flags.json, ready, () => plainLines(ready));
      } else printAnswer(terminal, flags.json, gateway.ready, () => servingLines(gateway.ready, flags.data));
      const lifeline = lifelineOf(process);
      // The load engine of a command that was killed drains; the calls it has in flight may still finish.
      await Promise.race([
        interrupts.first,
        gateway.failed,
        lifeline.gone.then(() => delay(ORPHAN_GRACE_MS, undefined, { ref: false })),
      ]);
      lifeline.release();
      await gateway.close();
      finish(EXIT.ok);
    });
}

function plainLines({ base_url, api_key }: { base_url: string; api_key?: string }): readonly string[] {
  return [`serving ${base_url}`, ...(api_key === undefined ? [] : [`  WEIGHBRIDGE_API_KEY=${api_key}`])];
}

function servingLines(ready: EmbeddedReady, data: string | undefined): readonly string[] {
  return [
    `serving ${ready.base_url}  (control ${ready.control_url})`,
    `  WEIGHBRIDGE_API_KEY=${ready.api_key}`,
    `  WEIGHBRIDGE_ACCESS_TOKEN=${ready.access_token}  WEIGHBRIDGE_USER_ID=${ready.user_id}`,
    `  control token ${ready.control_token}`,
    data === undefined
      ? 'These credentials are thrown away when it stops (Ctrl-C).'
      : `Key and access token are kept in ${data}; the control token is thrown away when it stops (Ctrl-C).`,
  ];
}

/** How long calls in flight may still take when the command that the gateway serves is gone. */
const ORPHAN_GRACE_MS = 20_000;

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('expected a port, 0 to 65535.');
  return Number(text);
}

function parseSeed(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected a whole number of at most 9 digits.');
  return Number(text);
}
