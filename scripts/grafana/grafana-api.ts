import { z } from 'zod';

const sources = z.array(
  z.object({ uid: z.string(), name: z.string(), type: z.string(), isDefault: z.boolean() }),
);
const frame = z.object({ data: z.object({ values: z.array(z.array(z.unknown())) }) });
const answers = z.object({
  results: z.record(
    z.string(),
    z.object({ error: z.string().optional(), frames: z.array(frame).optional() }),
  ),
});
export type DataSource = z.infer<typeof sources>[number];

/** What the query of one `refId` gave: rows of all frames, or why it was refused. */
export interface Answer {
  readonly rows: number;
  readonly error: string | null;
}

/** Says what Grafana refused, and with which status. */
export class GrafanaRefusal extends Error {
  readonly status: number;
  constructor(what: string, status: number, said: string) {
    super(`${what}: HTTP ${status}${said === '' ? '' : `: ${said.slice(0, 300)}`}`);
    this.status = status;
  }
}

/** The part of Grafana's HTTP API that imports boards and runs their queries. */
export class GrafanaApi {
  readonly #base: string;
  readonly #token: string;

  constructor(url: string, token: string) {
    this.#base = url.replace(/\/+$/, '');
    this.#token = token;
  }

  async version(): Promise<string> {
    const { body } = await this.#send('GET', '/api/health');
    return z.object({ version: z.string() }).parse(body).version;
  }

  async prometheusSources(): Promise<readonly DataSource[]> {
    const { body } = await this.#send('GET', '/api/datasources');
    return sources.parse(body).filter(({ type }) => type === 'prometheus');
  }

  /** A folder that stands there is taken as it is. */
  async makeFolder(uid: string, title: string): Promise<void> {
    const { status } = await this.#send('GET', `/api/folders/${uid}`, undefined, [200, 404]);
    if (status === 404) await this.#send('POST', '/api/folders', { uid, title });
  }

  async importBoard(board: object, folderUid: string): Promise<void> {
    await this.#send('POST', '/api/dashboards/db', { dashboard: board, folderUid, overwrite: true });
  }

  /** `queries` by their `refId`. Grafana answers 400 or 207 where one of several fails, with the reason in its place. */
  async query(queries: readonly object[], from: string): Promise<ReadonlyMap<string, Answer>> {
    const { body } = await this.#send('POST', '/api/ds/query', { queries, from, to: 'now' }, [200, 207, 400]);
    const read = answers.safeParse(body);
    if (!read.success) throw new GrafanaRefusal('POST /api/ds/query', 400, JSON.stringify(body));
    return new Map(
      Object.entries(read.data.results).map(([refId, { error, frames }]) => [
        refId,
        {
          rows: (frames ?? []).reduce((sum, { data }) => sum + (data.values[0]?.length ?? 0), 0),
          error: error ?? null,
        },
      ]),
    );
  }

  async #send(method: string, path: string, body?: object, expected: readonly number[] = [200]) {
    const response = await fetch(this.#base + path, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    // What a server repeats of the request must not bring the token into an output.
    if (!expected.includes(response.status))
      throw new GrafanaRefusal(`${method} ${path}`, response.status, text.replaceAll(this.#token, '***'));
    const read: unknown = text === '' ? null : JSON.parse(text);
    return { status: response.status, body: read };
  }
}
