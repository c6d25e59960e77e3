import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { SecretValues } from '../../client/secrets/secret-values.ts';
import type { ProbeListen } from '../../contracts/probe-plan.ts';
import { viewOf } from '../view/daemon-view.test-support.ts';
import { openProbeServer, type ProbeServer } from './probe-server.ts';
import type { ServedDaemon } from './served-daemon.ts';

export interface Served {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  readonly text: string;
}

interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly ca?: string;
}

/** A daemon that has nothing to tell; what a test is about is put in its place. */
function daemonOf(changes: Partial<ServedDaemon>): ServedDaemon {
  return {
    view: () => viewOf({}),
    render: async () => ({ contentType: 'text/plain; version=0.0.4; charset=utf-8', body: '' }),
    reload: async () => ({ ok: true }),
    config: () => 'probe: {}\n',
    runNow: async () => null,
    ...changes,
  };
}

export interface ServerInTest {
  readonly server: ProbeServer;
  readonly secrets: SecretValues;
  readonly faults: unknown[];
  readonly problems: string[];
  readonly clock: { now: number };
  ask(path: string, asked?: Asked): Promise<Served>;
}

export async function serverOf(
  daemon: Partial<ServedDaemon>,
  listen: Partial<ProbeListen> = {},
): Promise<ServerInTest> {
  const secrets = new SecretValues();
  const faults: unknown[] = [];
  const problems: string[] = [];
  const clock = { now: Date.now() + 60_000 };
  const server = await openProbeServer({
    listen: { host: '127.0.0.1', port: 0, tls: null, auth: null, ...listen },
    daemon: daemonOf(daemon),
    secrets,
    now: () => clock.now,
    onFault: (error) => faults.push(error),
    onProblem: (problem) => problems.push(problem),
  });
  onTestFinished(() => server.close(AbortSignal.abort()));
  return { server, secrets, faults, problems, clock, ask: (path, asked) => ask(server.url, path, asked) };
}

/** A connection each: what one request does to its own does not reach the next. */
export function ask(
  base: string,
  path: string,
  { method = 'GET', headers = {}, body, ca }: Asked = {},
): Promise<Served> {
  return new Promise((resolve, reject) => {
    const options = {
      method,
      headers,
      path,
      agent: false,
      ...(ca === undefined ? {} : { ca, servername: 'probe.test' }),
    };
    const send = base.startsWith('https:') ? httpsRequest : httpRequest;
    const request = send(base, options, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.on('error', reject);
      answer.on('end', () => {
        const bytes = Buffer.concat(parts);
        resolve({ status: answer.statusCode ?? 0, headers: answer.headers, bytes, text: bytes.toString() });
      });
    });
    request.on('error', reject);
    request.end(body);
  });
}

/** A file of its own for the test. */
export function fileOf(text: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'wb-server-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  const file = join(dir, 'file');
  writeFileSync(file, text);
  return file;
}
