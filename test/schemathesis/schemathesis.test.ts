import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { PAID_ENDPOINTS } from '../../src/gateway/http/endpoints.ts';
import { OPERATIONS } from '../../src/gateway/openapi/named-schemas.ts';
import { methodOf } from '../../src/gateway/openapi/operation.ts';
import { startTestGateway, type TestGateway } from '../../src/gateway/parts/gateway.test-support.ts';
import { runSchemathesis, type SchemathesisRun } from './run-schemathesis.ts';

const journal = z.object({
  lines: z.array(
    z.looseObject({ type: z.string(), endpoint: z.string().optional(), events: z.int().optional() }),
  ),
});

let gateway: TestGateway;
let run: SchemathesisRun;
let calls: z.infer<typeof journal>['lines'];

beforeAll(async () => {
  gateway = await startTestGateway();
  run = await runSchemathesis(gateway);
  const { json } = await gateway.control('GET', '/journal');
  calls = journal.parse(json).lines.filter(({ type }) => type === 'call');
});

afterAll(() => gateway.running.close());

describe('the gateway answers as its description says', () => {
  test.each(OPERATIONS.map((one) => `${methodOf(one).toUpperCase()} ${one.path}`))('%s', (operation) => {
    expect(run.failures.get(operation), run.output.slice(-12_000)).toEqual([]);
  });

  test('from call to call, by the links of the description', () => {
    expect(run.failures.get('Stateful tests') ?? [], run.output.slice(-12_000)).toEqual([]);
  });
});

test('every operation was tested, to the end, and nothing was found', () => {
  expect(run.summary, run.output.slice(-12_000)).toMatchObject({
    complete: true,
    exit_code: 0,
    operations: { total: OPERATIONS.length, tested: OPERATIONS.length, errored: 0, skipped: 0 },
    failures: [],
    errors: [],
  });
  expect(run.summary.test_cases.generated).toBeGreaterThan(1000);
});

describe('calls went beyond validation', () => {
  test.each(PAID_ENDPOINTS)('%s was accepted', (endpoint) => {
    expect(calls.filter((call) => call.endpoint === endpoint).length).toBeGreaterThan(0);
  });

  test.each(['/v1/chat/completions', '/v1/responses', '/v1/messages'])('%s streamed', (endpoint) => {
    const events = calls.filter((call) => call.endpoint === endpoint).map((call) => call.events ?? 0);
    expect(Math.max(...events)).toBeGreaterThan(0);
  });
});
