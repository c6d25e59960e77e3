import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { UNWATCHED } from '../src/app/notices/unwatched.test-support.ts';
import { runProgram } from '../src/cli/program.ts';
import { startGateway } from '../src/gateway/start-gateway.ts';

const PAGE = readFileSync(join(import.meta.dirname, '../docs/load.md'), 'utf8');

/** Each YAML file of the page, and the lines under it that `weighbridge plan` prints. */
const EXAMPLES = [...PAGE.matchAll(/^```yaml\n(.*?)^```\n+```text\n(.*?)^```/gms)].map(
  ([, yaml = '', text = '']) => ({ yaml, lines: text.trimEnd().split('\n') }),
);

/** What the examples name beside themselves. */
const FILES: Readonly<Record<string, string>> = {
  'questions.txt': 'Which rivers cross the plain?\nHow is a bell cast?\nName three winds.\n',
  'day.csv': /^```csv\n(.*?)^```/ms.exec(PAGE)?.[1] ?? '',
};

const dir = mkdtempSync(join(tmpdir(), 'wb-load-docs-'));
let gateway: Awaited<ReturnType<typeof startGateway>>;
beforeAll(async () => {
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(dir, name), text);
  gateway = await startGateway({ port: 0, seed: 1 });
});
afterAll(async () => {
  await gateway.close();
  rmSync(dir, { recursive: true });
});

test('every YAML file of the page has lines under it', () => {
  expect(EXAMPLES.length).toBeGreaterThan(5);
  expect(EXAMPLES).toHaveLength([...PAGE.matchAll(/^```yaml$/gm)].length);
});

test.each(EXAMPLES)('is planned as the page says: $lines.0', async ({ yaml, lines }) => {
  const file = join(dir, 'weighbridge.yaml');
  writeFileSync(file, yaml);
  const out: string[] = [];
  const err: string[] = [];
  const status = await runProgram(['plan', '--config', file, '--target', gateway.ready.base_url], {
    out: (line) => out.push(line),
    err: (line) => err.push(line),
    ...UNWATCHED,
    width: 100,
    env: { WEIGHBRIDGE_API_KEY: gateway.ready.api_key },
  });
  expect({ status, err }).toEqual({ status: 0, err: [] });
  for (const line of lines) expect(out).toContainEqual(expect.stringContaining(line));
});
