import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { UNWATCHED } from '../../src/app/notices/unwatched.test-support.ts';
import { runProgram } from '../../src/cli/program.ts';
import { readFaultPlan } from '../../src/gateway/faults/read-fault-plan.ts';
import { startGateway } from '../../src/gateway/start-gateway.ts';
import { listFiles, scratchDir } from '../support/run-weighbridge.ts';

const FAULTS = `
faults:
  - { fault: bill.double_charge, parameters: { variant: second_record }, when: { nth: 2 } }
`;
const answered = z.object({ usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number() }) });
const verdict = z.object({ dir: z.string(), result: z.string() });
const resultSchema = z.object({
  basis: z.string(),
  coverage: z.object({ to_the_digit: z.number().nullable() }),
  findings: z.array(z.object({ class: z.string(), count: z.number() })),
});

async function weighbridge(args: readonly string[], key: string) {
  const said: string[] = [];
  const code = await runProgram([...args, '--json'], {
    out: (line) => said.push(line),
    err: (line) => said.push(line),
    ...UNWATCHED,
    width: 200,
    env: { WEIGHBRIDGE_API_KEY: key },
  });
  return { code, text: said.join('\n'), last: said.at(-1) ?? '' };
}

test('calls that another program noted are held against the bill, and their copy is all that a report needs', async () => {
  const faults = readFaultPlan({ text: FAULTS, file: 'faults.yaml' });
  const running = await startGateway({ port: 0, seed: 9, latency: 'fast', faults });
  onTestFinished(() => running.close());
  const { base_url, api_key } = running.ready;
  const calls: Readonly<Record<string, unknown>>[] = [];
  for (let index = 0; index < 4; index += 1) {
    const started = new Date();
    const answer = await fetch(`${base_url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'aspen-mini',
        max_tokens: 30,
        messages: [{ role: 'user', content: `Tell me of mill ${index}.` }],
      }),
    });
    const { usage } = answered.parse(await answer.json());
    calls.push({
      schema: 'weighbridge.evidence/1',
      call_id: `mine-${index}`,
      kind: 'chat',
      model: 'aspen-mini',
      started_at: started.toISOString(),
      ended_at: new Date().toISOString(),
      status: 200,
      outcome: 'ok',
      request_id: answer.headers.get('x-request-id'),
      usage: { input: usage.prompt_tokens, output: usage.completion_tokens, cache_read: 0, cache_write: 0 },
    });
  }
  const second = Math.ceil(Date.now() / 1000 + 0.001) * 1000;
  while (Date.now() < second) await new Promise((resolve) => setTimeout(resolve, second - Date.now()));

  const [files, out] = [scratchDir(), scratchDir()];
  const ledger = join(files, 'calls.ndjson');
  writeFileSync(ledger, calls.map((call) => `${JSON.stringify(call)}\n`).join(''));
  const common = ['--out', out, '--state', scratchDir()];
  const audited = async (...args: readonly string[]) => {
    const { code, text, last } = await weighbridge(['reconcile', ...args, ...common], api_key);
    const { dir, result } = verdict.parse(JSON.parse(last));
    return { code, text, dir, result: resultSchema.parse(JSON.parse(readFileSync(result, 'utf8'))) };
  };
  const own = await audited('--ledger', ledger, '--target', base_url);
  expect(own).toMatchObject({ code: 5, result: { basis: 'ledger' } });
  expect(own.result.findings).toEqual([{ class: 'duplicate_charge', count: 1 }]);
  expect(readFileSync(join(out, 'index.html'), 'utf8')).toContain(`${basename(own.dir)}/report.html`);
  expect(own.text).toContain('no intents: a call of a program that was killed is in no such file');

  // The same calls as CSV, with a mapping of its columns.
  const flat = calls.map(({ call_id, started_at, request_id, usage }) => ({
    call_id,
    started_at,
    request_id,
    ...Object(usage),
  }));
  const names = Object.keys(flat[0] ?? {});
  const csv = join(files, 'calls.csv');
  writeFileSync(
    csv,
    [names, ...flat.map((row) => names.map((name) => row[name]))].map((row) => `${row.join(',')}\n`).join(''),
  );
  const columns = join(files, 'columns.yaml');
  writeFileSync(
    columns,
    `columns:
  call_id: call_id
  started_at: started_at
  request_id: request_id
  input_tokens: input
  output_tokens: output
  cache_read_tokens: cache_read
  cache_write_tokens: cache_write
  kind: { value: chat }
  model: { value: aspen-mini }
  outcome: { value: ok }
`,
  );
  const table = await audited(
    '--ledger',
    csv,
    '--ledger-format',
    'csv',
    '--columns',
    columns,
    '--target',
    base_url,
  );
  expect(table.result.findings).toEqual(own.result.findings);

  rmSync(files, { recursive: true });
  const before = Object.fromEntries(listFiles(table.dir).map((file) => [file, readFileSync(file, 'latin1')]));
  const run = table.dir.slice(out.length + 1);
  expect((await weighbridge(['report', '--run', run, '--out', out], api_key)).code).toBe(5);
  expect(
    Object.fromEntries(listFiles(table.dir).map((file) => [file, readFileSync(file, 'latin1')])),
  ).toEqual(before);

  const refused = async (...args: readonly string[]) =>
    /"code":"([a-z_]+)"/.exec((await weighbridge(['reconcile', ...args, ...common], api_key)).text)?.[1];
  expect(await refused('--ledger', join(out, 'none'), '--target', base_url)).toBe('ledger_missing');
  expect(await refused('--ledger', out, '--ledger-format', 'tar', '--target', base_url)).toBe(
    'ledger_format_unknown',
  );
});
