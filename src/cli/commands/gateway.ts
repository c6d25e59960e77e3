import { setTimeout as delay } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { faultCatalogue, faultCatalogueLines } from '../../app/gateway/fault-catalogue.ts';
import { faultPlanOf, latencyModelOf, readingsOf } from '../../app/gateway/gateway-input.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';
import type { GatewayOptions, RunningGateway } from '../../gateway/start-gateway.ts';
import { lifelineOf } from '../terminal/parent-watch.ts';
import { printAnswer } from '../terminal/print-answer.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface GatewayFlags {
  readonly port: number;
  readonly seed: number;
  readonly faults?: string;
  readonly journal?: string;
  /** False with `--no-fault-header`. */
  readonly faultHeader: boolean;
  readonly latency: string;
  readonly readings?: string;
  readonly data?: string;
  readonly upstream?: boolean;
  readonly listFaults?: boolean;
  readonly json?: boolean;
}

export function gatewayCommand(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  program
    .command('gateway')
    .description('serve the embedded gateway alone, with faults on demand, until SIGTERM')
    .option('--port <n>', 'port on 127.0.0.1; 0 takes a free one', parsePort, 8787)
    .option('--seed <n>', 'seed of outputs, latency and fault decisions', parseSeed, 1)
    .option('--faults <file>', 'fault plan (YAML), or scenario:NAME')
    .option('--no-fault-header', 'take no faults from the header X-Weighbridge-Fault')
    .option('--list-faults', 'print every fault and scenario, and serve nothing')
    .option('--journal <file>', 'append what was really received and done wrong (NDJSON)')
    .option('--latency <preset>', 'fast, realistic, slow, overloaded, or a latency plan (YAML)', 'realistic')
    .option('--readings <file>', 'how it reads what the interface leaves open (YAML)')
    .option('--data <dir>', 'keep accounts, jobs and books there: they outlive the process')
    .option('--upstream', 'take any key: it stands behind another gateway')
    .option('--json', 'print one line with addresses and throw-away credentials when it serves')
    .action(async (flags: GatewayFlags) => {
      if (flags.listFaults === true) {
        printAnswer(terminal, flags.json, faultCatalogue(), faultCatalogueLines);
        return finish(EXIT.ok);
      }
      const interrupts = terminal.interrupts();
      const gateway = await serving(flags, optionsOf(flags));
      for (const note of gateway.notes) terminal.err(note);
      printAnswer(terminal, flags.json, gateway.ready, () => servingLines(gateway.ready, flags.data));
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

function servingLines(ready: RunningGateway['ready'], data: string | undefined): readonly string[] {
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

function optionsOf(flags: GatewayFlags): GatewayOptions {
  const { port, seed, faults, faultHeader, journal, latency, readings, data, upstream } = flags;
  return {
    port,
    seed,
    faultHeader,
    latency: latencyModelOf(latency),
    ...(faults === undefined ? {} : { faults: faultPlanOf(faults) }),
    ...(journal === undefined ? {} : { journalPath: journal }),
    ...(readings === undefined ? {} : { readings: readingsOf(readings) }),
    ...(data === undefined ? {} : { dataDir: data }),
    ...(upstream === undefined ? {} : { upstream }),
  };
}

/** How long calls in flight may still take when the command that the gateway serves is gone. */
const ORPHAN_GRACE_MS = 20_000;

/** A port that is taken or a journal that cannot be written is the user's to mend. */
async function serving(flags: GatewayFlags, options: GatewayOptions): Promise<RunningGateway> {
  // Here alone: its tables of tokens are 30 MB, which every other command would hold, and a daemon would mark again and again.
  const { startGateway } = await import('../../gateway/start-gateway.ts');
  try {
    return await startGateway(options);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null;
    if (code === 'EADDRINUSE' || code === 'EACCES') {
      throw new WeighbridgeError({
        code: 'port_taken',
        message: `expected port ${flags.port} of 127.0.0.1 to be free, found that it is taken`,
        hint: 'give another with --port, or --port 0 for any free one',
        cause,
      });
    }
    if (flags.journal !== undefined && (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR')) {
      throw new WeighbridgeError({
        code: 'file_unwritable',
        message: `expected a file that can be written at ${flags.journal}, found ${code}`,
        hint: 'check the path given to --journal; its folder must exist',
        cause,
      });
    }
    throw cause;
  }
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('expected a port, 0 to 65535.');
  return Number(text);
}

function parseSeed(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected a whole number of at most 9 digits.');
  return Number(text);
}
