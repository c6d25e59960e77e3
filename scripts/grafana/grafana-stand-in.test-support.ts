import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const query = z.looseObject({
  refId: z.string(),
  expr: z.string(),
  datasource: z.object({ type: z.string(), uid: z.string() }),
});
const dsQuery = z.object({ queries: z.array(query).min(1), from: z.string(), to: z.string() });
const imported = z.object({
  dashboard: z.looseObject({ uid: z.string() }),
  folderUid: z.string(),
  overwrite: z.boolean(),
});

interface Reply {
  readonly status: number;
  readonly body: object;
}

const SOURCES = [
  { id: 1, uid: 'logs', name: 'Logs', type: 'loki', isDefault: true },
  { id: 2, uid: 'prom-uid', name: 'Prometheus', type: 'prometheus', isDefault: false },
];

/** Answers as the pages of Grafana's HTTP API say: folders, data sources, boards and `/api/ds/query`. No Grafana stands behind it. */
export class GrafanaStandIn {
  readonly boards = new Map<string, string>();
  readonly queries: z.infer<typeof query>[] = [];
  readonly folders = new Set<string>();
  readonly #token: string;
  readonly #answer: (expr: string) => 'data' | 'nothing' | 'error';
  #server: Server | undefined;

  constructor(token: string, answer: (expr: string) => 'data' | 'nothing' | 'error') {
    this.#token = token;
    this.#answer = answer;
  }

  async start(): Promise<string> {
    const server = createServer((request, response) => {
      void this.#reply(request).then(({ status, body }) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
    });
    this.#server = server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = z.object({ port: z.number() }).parse(server.address());
    return `http://127.0.0.1:${address.port}`;
  }

  async stop(): Promise<void> {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  async #reply(request: IncomingMessage): Promise<Reply> {
    const route = `${request.method} ${request.url}`;
    if (route === 'GET /api/health') return ok({ database: 'ok', version: '12.2.0', commit: 'none' });
    const authorization = request.headers.authorization ?? '';
    if (authorization !== `Bearer ${this.#token}`)
      return { status: 401, body: { message: `Invalid API key ${authorization.slice(7)}` } };
    const said: unknown = request.method === 'POST' ? JSON.parse(await text(request)) : null;
    switch (route) {
      case 'GET /api/datasources':
        return ok(SOURCES);
      case 'GET /api/folders/weighbridge':
        return this.folders.has('weighbridge')
          ? ok({ uid: 'weighbridge' })
          : { status: 404, body: { message: 'folder not found' } };
      case 'POST /api/folders':
        this.folders.add(z.object({ uid: z.string() }).parse(said).uid);
        return ok({ uid: 'weighbridge' });
      case 'POST /api/dashboards/db': {
        const { dashboard, folderUid } = imported.parse(said);
        if (!this.folders.has(folderUid)) return { status: 400, body: { message: 'folder not found' } };
        this.boards.set(dashboard.uid, folderUid);
        return ok({ status: 'success', uid: dashboard.uid });
      }
      case 'POST /api/ds/query':
        return this.#query(dsQuery.parse(said));
      default:
        return { status: 404, body: { message: 'Not found' } };
    }
  }

  #query({ queries }: z.infer<typeof dsQuery>): Reply {
    this.queries.push(...queries);
    const results = queries.map(({ refId, expr }) => {
      const answer = this.#answer(expr);
      if (answer === 'error') return [refId, { status: 400, error: 'bad_data: parse error', frames: [] }];
      const values = answer === 'data' ? [[1_764_000_000_000], [1]] : [];
      return [refId, { status: 200, frames: [{ schema: { refId, fields: [] }, data: { values } }] }];
    });
    const failed = results.some(([, result]) => typeof result === 'object' && 'error' in result);
    return { status: failed ? 400 : 200, body: { results: Object.fromEntries(results) } };
  }
}

function ok(body: object): Reply {
  return { status: 200, body };
}
