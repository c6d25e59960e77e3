import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { FaultEntry } from '../../../src/gateway/faults/fault-plan.ts';
import { GatewayProcess, type ReadyLine } from '../gateway-process.ts';

const account = z.object({ user_id: z.int(), access_token: z.string() });
const key = z.object({ api_key: z.string(), key_fp: z.string() });

export interface GatewayUser {
  readonly user_id: number;
  readonly access_token: string;
  readonly api_key: string;
  readonly key_fp: string;
}

/** A fault of one user; which requests it hits stands beside the user's key. */
export type OwnFault = Pick<FaultEntry, 'fault'> & {
  readonly select?: FaultEntry['select'];
  readonly parameters?: FaultEntry['parameters'];
};

/** The test side of an embedded gateway that many users share, each with faults of its own. */
export class GatewayControl {
  readonly #ready: ReadyLine;
  readonly #faults = new Map<string, readonly object[]>();
  #last: Promise<unknown> = Promise.resolve();

  /** Starts one in a process of its own, which ends with the test. */
  static async start(dir: string): Promise<GatewayControl> {
    const gateway = new GatewayProcess(dir);
    onTestFinished(() => gateway.end('SIGKILL'));
    return new GatewayControl(await gateway.start());
  }

  private constructor(ready: ReadyLine) {
    this.#ready = ready;
  }

  get baseUrl(): string {
    return this.#ready.base_url;
  }

  async addUser(balanceUsd: string): Promise<GatewayUser> {
    const made = account.parse(await this.call('POST', '/accounts', { balance_usd: balanceUsd }));
    return { ...made, ...(await this.addKey(made.user_id, null)) };
  }

  async addKey(userId: number, models: readonly string[] | null): Promise<z.infer<typeof key>> {
    return key.parse(await this.call('POST', '/keys', { user_id: userId, models }));
  }

  /** In place of those that stood under the name; the others stay. */
  faults(name: string, keyFp: string | null, faults: readonly OwnFault[]): Promise<void> {
    const own = keyFp === null ? {} : { key_fp: keyFp };
    this.#faults.set(
      name,
      faults.map((each) => ({ ...each, select: { ...each.select, ...own }, when: { probability: 1 } })),
    );
    // One after the other: a plan that was sent later must not be overtaken.
    const sent = this.#last.then(() =>
      this.call('PUT', '/faults', { faults: [...this.#faults.values()].flat() }),
    );
    this.#last = sent;
    return sent.then(() => undefined);
  }

  async call(method: string, path: string, body: object): Promise<unknown> {
    const { control_url, control_token } = this.#ready;
    const answer = await fetch(`${control_url}${path}`, {
      method,
      headers: { authorization: `Bearer ${control_token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text === '' ? 'null' : text);
  }
}
