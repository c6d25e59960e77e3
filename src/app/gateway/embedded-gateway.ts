import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { isErrorCode } from '../../contracts/errors/error-code.ts';
import { EXIT } from '../../contracts/exit-code.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';

const readySchema = z.object({
  base_url: z.string(),
  control_url: z.string(),
  control_token: z.string(),
  api_key: z.string(),
  access_token: z.string(),
  user_id: z.number(),
});
export type EmbeddedReady = z.infer<typeof readySchema>;

/** Files that change what the embedded gateway does, or where it notes that. */
export interface EmbeddedOptions {
  readonly faults: string | null;
  readonly journal: string | null;
  readonly readings: string | null;
}

export const WELL_BEHAVED: EmbeddedOptions = { faults: null, journal: null, readings: null };

export interface EmbeddedGateway {
  readonly ready: EmbeddedReady;
  close(): Promise<void>;
}

/** With `--json` a command that fails says so on the line where it would have said that it serves. */
const refusedSchema = z.object({
  error: z.object({ code: z.string().refine(isErrorCode), message: z.string(), hint: z.string() }),
  exit_codes: z.tuple([z.int()]),
});
const firstLine = z.union([readySchema, refusedSchema]);

/** It ended without a word on stdout: what it wrote to stderr is all there is. */
function endedEarly(errors: readonly string[], exitCode: number | null): WeighbridgeError {
  const ended = `The embedded gateway did not start. Its process ended with ${exitCode ?? 'a signal'}.`;
  return new WeighbridgeError({
    code: 'gateway_not_started',
    message: [ended, ...errors].join('\n'),
    hint: 'Run `weighbridge gateway` alone. It prints the reason.',
    exitCode: exitCode ?? EXIT.internal,
  });
}

const ENTRY = fileURLToPath(new URL('../../../bin/weighbridge.mjs', import.meta.url));

/**
 * Starts `weighbridge gateway` as a process of its own, so that its event loop is not the load engine's or ours.
 * Its throw-away credentials pass through the pipe of its ready line only.
 */
export async function startEmbeddedGateway(
  options: EmbeddedOptions & { readonly seed: number },
): Promise<EmbeddedGateway> {
  const args = ['gateway', '--port', '0', '--json', '--seed', String(options.seed)];
  for (const name of ['faults', 'journal', 'readings'] as const) {
    const file = options[name];
    if (file !== null) args.push(`--${name}`, file);
  }
  const child = spawn(process.execPath, [...GATEWAY_NODE_FLAGS, ENTRY, ...args], {
    detached: true,
    // Nothing is written to stdin: its end tells the gateway that the command it serves is gone.
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, WEIGHBRIDGE_LIFELINE: 'stdin' },
  });
  const errors: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line));
  const ended = once(child, 'exit');
  const lines = createInterface({ input: child.stdout });
  const line = await Promise.race([
    once(lines, 'line').then(([text]) => String(text)),
    ended.then(() => null),
  ]);
  if (line === null) throw endedEarly(errors, child.exitCode);
  const ready = firstLine.parse(JSON.parse(line));
  if ('error' in ready) {
    await ended;
    const { error, exit_codes } = ready;
    throw new WeighbridgeError({ ...error, exitCode: exit_codes[0] });
  }
  return {
    ready,
    async close() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      child.stdin.end();
      await ended;
    },
  };
}

/**
 * Flags of Node for a process that is nothing but this gateway. With thousands of open streams the young generation would
 * grow to several times what they hold: 16 MB cost a few percent of CPU and save about 30 kB for each of 2,000 streams.
 */
export const GATEWAY_NODE_FLAGS: readonly string[] = ['--max-semi-space-size=16'];
