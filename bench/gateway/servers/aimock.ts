/** @copilotkit/aimock as a process: `node aimock.ts <text of its replies> <ms between events>`. */
import * as z from 'zod';
import { serveParent } from './served-parent.ts';

const [, , content = '', latency = '0'] = process.argv;

/** It has no types of its own here: it is installed beside the bench, and only when the bench runs. */
const mock = z.object({
  LLMock: z.custom<new (options: object) => AiMock>((value) => typeof value === 'function'),
});

interface AiMock {
  readonly url: string;
  on(match: object, response: object, options: object): unknown;
  start(): Promise<unknown>;
}

const { LLMock } = mock.parse(await import(String('@copilotkit/aimock')));
const CHARACTERS = Math.ceil(content.length / 200);
const server = new LLMock({ port: 0, host: '127.0.0.1', logLevel: 'silent', journalMaxEntries: 1000 });
server.on({}, { content }, { latency: Number(latency), chunkSize: CHARACTERS });
await server.start();
serveParent({ base_url: server.url, api_key: 'none' }, { report: () => null, reset: () => {} });
