import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { EXIT } from '../core/exit-code.ts';
import { WeighbridgeError } from '../core/failure.ts';

const readySchema = z.object({
  base_url: z.string(),
  control_url: z.string(),
  control_token: z.string(),
  api_key: z.string(),
  access_token: z.string(),
  user_id: z.number(),
});
export type GatewayReady = z.infer<typeof readySchema>;

export interface EmbeddedGateway {
  readonly ready: GatewayReady;
  close(): Promise<void>;
}

/** The gateway printed its error as every command does: message, fix, code. It is passed on as it stands. */
function notStarted(lines: readonly string[], exitCode: number | null): WeighbridgeError {
  const part = (label: string): string | undefined =>
    lines
      .find((line) => line.trimStart().startsWith(`${label}: `))
      ?.trimStart()
      .slice(label.length + 2);
  const message = lines
    .filter((line) => !/^\s*(fix|code): /.test(line))
    .map((line) => line.replace(/^(error: |\s+)/, ''))
    .join('\n');
  return new WeighbridgeError({
    code: part('code') ?? 'gateway_not_started',
    message: message === '' ? `the embedded gateway ended with ${exitCode ?? 'a signal'}` : message,
    hint: part('fix') ?? 'run `weighbridge gateway` alone to see why',
    exitCode: exitCode ?? EXIT.internal,
  });
}

const ENTRY = fileURLToPath(new URL('../../bin/weighbridge.mjs', import.meta.url));

/**
 * Starts `weighbridge gateway` as a process of its own, so that its event loop is not the load engine's or ours.
 * Its throw-away credentials pass through the pipe of its ready line only.
 */
export async function startEmbeddedGateway(options: {
  readonly seed: number;
  readonly faults: string | null;
  readonly journal: string | null;
}): Promise<EmbeddedGateway> {
  const args = ['gateway', '--port', '0', '--json', '--seed', String(options.seed)];
  if (options.faults !== null) args.push('--faults', options.faults);
  if (options.journal !== null) args.push('--journal', options.journal);
  const child = spawn(process.execPath, [ENTRY, ...args], {
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
  if (line === null) {
    throw notStarted(errors, child.exitCode);
  }
  const ready = readySchema.parse(JSON.parse(line));
  return {
    ready,
    async close() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      child.stdin.end();
      await ended;
    },
  };
}
