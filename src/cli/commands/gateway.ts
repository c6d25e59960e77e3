import { readFileSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { type Command, InvalidArgumentError } from 'commander';
import { EXIT } from '../../core/exit-code.ts';
import { WeighbridgeError } from '../../core/failure.ts';
import { readFaultPlan } from '../../gateway/faults/read-fault-plan.ts';
import { type GatewayOptions, type RunningGateway, startGateway } from '../../gateway/start-gateway.ts';
import { listenForInterrupts } from '../interrupts.ts';
import { lifelineOf } from '../lifeline.ts';
import type { Terminal } from '../terminal.ts';

interface GatewayFlags {
  readonly port: number;
  readonly seed: number;
  readonly faults?: string;
  readonly journal?: string;
  readonly latency: 'fast' | 'realistic';
  readonly json?: boolean;
}

export function gatewayCommand(program: Command, terminal: Terminal, finish: (code: number) => void): void {
  program
    .command('gateway')
    .description('serve the embedded gateway alone, with faults on demand, until SIGTERM')
    .option('--port <n>', 'port on 127.0.0.1; 0 takes a free one', parsePort, 8787)
    .option('--seed <n>', 'seed of outputs, latency and fault decisions', parseSeed, 1)
    .option('--faults <file>', 'fault plan (YAML)')
    .option('--journal <file>', 'append what was really received and done wrong (NDJSON)')
    .option('--latency <preset>', 'fast or realistic', parseLatency, 'realistic')
    .option('--json', 'print one line with addresses and throw-away credentials when it serves')
    .action(async (flags: GatewayFlags) => {
      const faults =
        flags.faults === undefined
          ? null
          : readFaultPlan({ text: readText(flags.faults), file: flags.faults });
      const gateway = await serving(flags, {
        port: flags.port,
        seed: flags.seed,
        latency: flags.latency,
        ...(faults === null ? {} : { faults }),
        ...(flags.journal === undefined ? {} : { journalPath: flags.journal }),
      });
      const interrupts = listenForInterrupts(process);
      if (flags.json === true) terminal.out(JSON.stringify(gateway.ready));
      else {
        terminal.out(`serving ${gateway.ready.base_url}  (control ${gateway.ready.control_url})`);
        terminal.out(`  WEIGHBRIDGE_API_KEY=${gateway.ready.api_key}`);
        terminal.out(
          `  WEIGHBRIDGE_ACCESS_TOKEN=${gateway.ready.access_token}  WEIGHBRIDGE_USER_ID=${gateway.ready.user_id}`,
        );
        terminal.out(`  control token ${gateway.ready.control_token}`);
        terminal.out('These credentials are thrown away when it stops (Ctrl-C).');
      }
      const lifeline = lifelineOf(process);
      // The load engine of a command that was killed drains; the calls it has in flight may still finish.
      await Promise.race([
        interrupts.first,
        lifeline.gone.then(() => delay(ORPHAN_GRACE_MS, undefined, { ref: false })),
      ]);
      lifeline.release();
      await gateway.close();
      finish(EXIT.ok);
    });
}

/** How long calls in flight may still take when the command that the gateway serves is gone. */
const ORPHAN_GRACE_MS = 20_000;

/** A port that is taken or a journal that cannot be written is the user's to mend. */
async function serving(flags: GatewayFlags, options: GatewayOptions): Promise<RunningGateway> {
  try {
    return await startGateway(options);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : null;
    if (code === 'EADDRINUSE' || code === 'EACCES') {
      throw new WeighbridgeError({
        code: 'port_taken',
        message: `expected port ${flags.port} of 127.0.0.1 to be free, found that it is taken`,
        hint: 'give another with --port, or --port 0 for any free one',
        exitCode: EXIT.usage,
        cause,
      });
    }
    if (flags.journal !== undefined && (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR')) {
      throw new WeighbridgeError({
        code: 'file_unwritable',
        message: `expected a file that can be written at ${flags.journal}, found ${code}`,
        hint: 'check the path given to --journal; its folder must exist',
        exitCode: EXIT.usage,
        cause,
      });
    }
    throw cause;
  }
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw new WeighbridgeError({
      code: 'file_unreadable',
      message: `expected a readable file, found none at ${file}`,
      hint: 'check the path given to --faults',
      exitCode: EXIT.usage,
      cause,
    });
  }
}

function parsePort(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new InvalidArgumentError('expected a port, 0 to 65535.');
  return Number(text);
}

export function parseSeed(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError('expected a whole number of at most 9 digits.');
  return Number(text);
}

function parseLatency(text: string): 'fast' | 'realistic' {
  if (text === 'fast' || text === 'realistic') return text;
  throw new InvalidArgumentError('expected fast or realistic.');
}
