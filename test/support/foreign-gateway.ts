import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { ROOT } from './run-weighbridge.ts';

/** A gateway that somebody else wrote from the interface alone. */
export interface ForeignGateway {
  readonly url: string;
  /** The environment that holds its credentials. */
  readonly env: Readonly<Record<string, string>>;
}

const ready = z.object({
  base_url: z.url(),
  api_key: z.string(),
  access_token: z.string(),
  user_id: z.union([z.string(), z.number()]),
});

const FOREIGN = join(ROOT, 'test/foreign');

/** How each is run; those in Go are built first, so that a signal reaches them. */
const COMMANDS: Readonly<Record<string, (dir: string) => readonly [string, ...string[]]>> = {
  a: () => ['python3', 'gateway.py'],
  b: (dir) => [built('b', dir)],
  c: () => [process.execPath, 'gateway.mjs'],
  d: () => ['perl', 'gateway.pl'],
  e: (dir) => [built('e', dir)],
};

function built(name: string, dir: string): string {
  mkdirSync(dir, { recursive: true });
  const binary = join(dir, `gateway-${name}`);
  const made = spawnSync('go', ['build', '-o', binary, 'gateway.go', 'faults.go'], {
    cwd: join(FOREIGN, name),
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(`gateway ${name} does not build: ${made.stderr}`);
  return binary;
}

/** Starts one until the test ends; `fault` plants one of its ten faults. */
export async function startForeign(name: string, dir: string, fault?: number): Promise<ForeignGateway> {
  const [command, ...args] = COMMANDS[name]?.(dir) ?? [''];
  const faults = fault === undefined ? [] : ['--fault', String(fault)];
  const child = spawn(command, [...args, '--port', '0', '--seed', '7', ...faults], {
    cwd: join(FOREIGN, name),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const { base_url, api_key, access_token, user_id } = ready.parse(JSON.parse(line));
    return {
      url: base_url,
      env: {
        WEIGHBRIDGE_API_KEY: api_key,
        WEIGHBRIDGE_ACCESS_TOKEN: access_token,
        WEIGHBRIDGE_USER_ID: String(user_id),
      },
    };
  }
  throw new Error(`gateway ${name} ended before it served`);
}

/** Writes the configuration that a newcomer would: what to call, and that the key is his alone. */
export function writeConfig(
  dir: string,
  url: string,
  traffic: readonly string[],
  billing: readonly string[] = [],
): string {
  const file = join(dir, 'weighbridge.yaml');
  const lines = traffic.map((entry) => `  - { ${entry} }`);
  writeFileSync(
    file,
    [
      'version: 1',
      'seed: 3',
      `target: { url: '${url}', key: exclusive }`,
      'duration: 8s',
      ...billing,
      'traffic:',
      ...lines,
      '',
    ].join('\n'),
  );
  return file;
}
