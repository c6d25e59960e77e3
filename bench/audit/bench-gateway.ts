import { z } from 'zod';
import { GatewayClient } from '../../src/client/gateway-client.ts';
import type { JournalCall, JournalFault, JournalLine } from '../../src/contracts/journal.ts';
import type { Readings } from '../../src/gateway/readings/readings.ts';
import { startGateway } from '../../src/gateway/start-gateway.ts';

const lines = z.object({ lines: z.array(z.custom<JournalLine>((line) => typeof line === 'object')) });

/** A gateway in this process, with its journal and its switches. */
export interface BenchGateway {
  readonly base: string;
  readonly apiKey: string;
  readonly client: GatewayClient;
  /** Faults that fired so far. */
  fired(): Promise<readonly JournalFault[]>;
  /** Paid calls that ended so far. */
  ended(): Promise<readonly JournalCall[]>;
  control(method: 'PUT' | 'POST', path: string, body: object): Promise<void>;
  close(): Promise<void>;
}

export async function openBenchGateway(seed: number, readings: Readings): Promise<BenchGateway> {
  const running = await startGateway({ port: 0, seed, latency: 'fast', readings });
  const { base_url, api_key, access_token, user_id, control_url, control_token } = running.ready;
  const client = new GatewayClient({
    bases: { root: base_url, v1: `${base_url}/v1`, api: `${base_url}/api` },
    apiKey: api_key,
    accessToken: access_token,
    userId: String(user_id),
    timeoutMs: 10_000,
    userAgent: 'weighbridge-bench',
  });
  async function control(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(control_url + path, {
      method,
      headers: { authorization: `Bearer ${control_token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  }
  async function journal(): Promise<readonly JournalLine[]> {
    return lines.parse(await control('GET', '/journal')).lines;
  }
  return {
    base: base_url,
    apiKey: api_key,
    client,
    async fired() {
      return (await journal()).filter((line) => line.type === 'fault');
    },
    async ended() {
      return (await journal()).filter((line) => line.type === 'call');
    },
    async control(method, path, body) {
      await control(method, path, body);
    },
    async close() {
      await client.close();
      await running.close();
    },
  };
}
