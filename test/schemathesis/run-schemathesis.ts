import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import * as z from 'zod';
import type { TestGateway } from '../../src/gateway/parts/gateway.test-support.ts';

const ROOT = resolve(import.meta.dirname, '../..');

/** `node_modules` may be a link into another copy of the tree: set-up put the tool beside the folder itself. */
const NAMED_IN = join(dirname(realpathSync(join(ROOT, 'node_modules'))), '.cache/schemathesis/current');

/** Cases for each operation in the phase that draws them by chance; the other phases take what the schemas give. */
const MAX_EXAMPLES = 25;
const MOST_MS = 240_000;

const summary = z.object({
  complete: z.boolean(),
  exit_code: z.int(),
  operations: z.object({
    total: z.int(),
    tested: z.int(),
    errored: z.int(),
    skipped: z.int(),
  }),
  test_cases: z.object({ generated: z.int() }),
  failures: z.array(z.object({ title: z.string(), operations: z.array(z.string()) })),
  errors: z.array(z.object({ title: z.string() })),
});

export interface SchemathesisRun {
  readonly summary: z.infer<typeof summary>;
  /** What was found wrong, by `METHOD /path`; empty for an operation that was tested and holds. */
  readonly failures: ReadonlyMap<string, readonly string[]>;
  readonly output: string;
}

/** Runs Schemathesis against the description that a gateway serves, with an account that no run can empty. */
export async function runSchemathesis(gateway: TestGateway): Promise<SchemathesisRun> {
  const { apiKey, accessToken, userId } = await gateway.newKey({ balance_usd: '1000000000' });
  const scratch = mkdtempSync(join(tmpdir(), 'weighbridge-schemathesis-'));
  try {
    // By file: read from its address, the endpoint of the description itself would be left out.
    const description = join(scratch, 'openapi.json');
    writeFileSync(description, (await gateway.call('GET', '/openapi.json')).text);
    const output = await execute(
      [
        ...[
          '--no-color',
          '--config-file',
          join(import.meta.dirname, 'schemathesis.toml'),
          'run',
          description,
        ],
        ...['--url', gateway.running.ready.base_url, '--max-examples', String(MAX_EXAMPLES)],
        ...['--report', 'junit,json', '--report-junit-path', join(scratch, 'junit.xml')],
        ...['--report-json-path', join(scratch, 'summary.json')],
      ],
      { GATEWAY_API_KEY: apiKey, GATEWAY_ACCESS_TOKEN: accessToken, GATEWAY_USER_ID: String(userId) },
    );
    return {
      summary: summary.parse(JSON.parse(readReport(scratch, 'summary.json', output))),
      failures: failuresOf(readReport(scratch, 'junit.xml', output)),
      output,
    };
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function toolPath(): string {
  try {
    return readFileSync(NAMED_IN, 'utf8').trim();
  } catch (cause) {
    throw new Error('Schemathesis is not installed: run node bin/setup.mjs --tests', { cause });
  }
}

function execute(args: readonly string[], credentials: Record<string, string>): Promise<string> {
  return new Promise((done, failed) => {
    const child = spawn(toolPath(), args, {
      env: { ...process.env, ...credentials },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: MOST_MS,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output += text;
      });
    }
    child.on('error', failed);
    child.on('close', () => done(output));
  });
}

function readReport(scratch: string, name: string, output: string): string {
  try {
    return readFileSync(join(scratch, name), 'utf8');
  } catch (cause) {
    throw new Error(`Schemathesis wrote no ${name}:\n${output.slice(-4000)}`, { cause });
  }
}

/** One `testcase` for each operation, and one for what only holds over several of them. */
function failuresOf(junit: string): Map<string, string[]> {
  const cases = junit.split('<testcase ').slice(1);
  return new Map(
    cases.map((text) => {
      const name = /^name="([^"]*)"/.exec(text)?.[1] ?? '';
      const wrong = [...text.matchAll(/<(?:failure|error|skipped)\b[^>]*>/g)].map(([tag]) => tag);
      return [name, wrong];
    }),
  );
}
