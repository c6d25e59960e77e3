import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import { cleanEnv, ROOT } from './run-weighbridge.ts';

const readyLine = z.looseObject({
  base_url: z.string(),
  api_key: z.string(),
  access_token: z.string(),
  user_id: z.number(),
  control_url: z.string(),
  control_token: z.string(),
});

const madeKey = z.looseObject({ api_key: z.string() });

export interface WornGateway {
  readonly url: string;
  /** The credentials, as commands take them. */
  readonly env: Readonly<Record<string, string>>;
  /** A further key of the account, charged as its group. */
  keyOf(group: string): Promise<string>;
}

/** The embedded gateway in the dress of another family, as a process of its own until the test ends. */
export async function wornGateway(
  dialect: 'new-api' | 'litellm',
  flags: readonly string[] = [],
): Promise<WornGateway> {
  const args = ['gateway', '--dialect', dialect, '--port', '0', '--latency', 'fast', '--json', ...flags];
  const child = spawn(process.execPath, [join(ROOT, 'bin/weighbridge.mjs'), ...args], {
    env: cleanEnv(),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'close');
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await ended;
  });
  const line = await Promise.race([
    once(createInterface(child.stdout), 'line').then(([text]) => String(text)),
    ended.then(() => {
      throw new Error(`the gateway ended with ${child.exitCode}`);
    }),
  ]);
  const { base_url, api_key, access_token, user_id, control_url, control_token } = readyLine.parse(
    JSON.parse(line),
  );
  return {
    url: base_url,
    env: {
      WEIGHBRIDGE_API_KEY: api_key,
      WEIGHBRIDGE_ACCESS_TOKEN: access_token,
      WEIGHBRIDGE_USER_ID: String(user_id),
    },
    async keyOf(group) {
      const answer = await fetch(`${control_url}/keys`, {
        method: 'POST',
        headers: { authorization: `Bearer ${control_token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ user_id, group }),
      });
      return madeKey.parse(await answer.json()).api_key;
    },
  };
}
