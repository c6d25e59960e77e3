import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { UNWATCHED } from '../../src/app/notices/unwatched.test-support.ts';
import { runProgram } from '../../src/cli/program.ts';
import { readFaultPlan } from '../../src/gateway/faults/read-fault-plan.ts';
import { startGateway } from '../../src/gateway/start-gateway.ts';
import { ROOT, scratchDir } from '../support/run-weighbridge.ts';

const PAGE = ['docs/claims.md', 'docs/claim-reference.md']
  .map((page) => readFileSync(join(ROOT, page), 'utf8'))
  .join('\n');
const FAULTS = `faults:
  - { fault: bill.double_charge, when: { nth: 3 } }
  - { fault: bill.wrong_rate, when: { nth: 5 }, parameters: { variant: input_at_output } }
`;

/** Ids, hashes, times and ports are those of one run; everything else on the page must be said again. */
function withoutNames(text: string): string {
  return text
    .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:.]+Z/g, 'TIME')
    .replaceAll(/\b20\d{12}[0-9a-z]{14}\b/g, 'REQUEST')
    .replaceAll(/month-\d{4}-\d{2}-\w+/g, 'MONTH')
    .replaceAll(/\b[0-9a-f]{64}\b|\b[0-9a-f]{16}\b|\b[0-9a-f]{12}\b/g, 'HEX')
    .replaceAll(/127\.0\.0\.1_\d+/g, 'HOST');
}

test('every command of the pages runs as shown, and says what is shown', async () => {
  const faults = readFaultPlan({ text: FAULTS, file: 'faults.yaml' });
  const running = await startGateway({ port: 0, seed: 7, latency: 'fast', faults });
  onTestFinished(() => running.close());
  const { base_url, api_key } = running.ready;
  for (let index = 0; index < 8; index += 1) {
    const answer = await fetch(`${base_url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: 'aspen-mini',
        max_tokens: 20 + index,
        messages: [{ role: 'user', content: `Tell me of mill ${index}.` }],
      }),
    });
    await answer.text();
  }
  // A period ends before the second that is under way.
  const over = Math.ceil(Date.now() / 1000 + 0.001) * 1000;
  while (Date.now() < over) await new Promise((resolve) => setTimeout(resolve, over - Date.now()));
  const dir = scratchDir();
  const weighbridge = async (args: readonly string[]) => {
    const out: string[] = [];
    const err: string[] = [];
    const code = await runProgram(args, {
      out: (line) => out.push(line),
      err: (line) => err.push(line),
      ...UNWATCHED,
      width: 120,
      env: { WEIGHBRIDGE_API_KEY: api_key },
    });
    return { code, out: out.join('\n'), err: err.join('\n') };
  };
  const place = (command: string) => [
    ...(command === 'claims' ? [] : ['--out', join(dir, 'reports')]),
    ...(command === 'explain' ? [] : ['--state', join(dir, 'state')]),
  ];
  const month = new Date().toISOString().slice(0, 7);
  await weighbridge(['reconcile', '--month', month, '--target', base_url, ...place('reconcile')]);
  const listed = await weighbridge(['report', '--bundle', ...place('report')]);
  expect(listed.err).toContain('2 questions, no sum is demanded until');
  const claims = (await weighbridge(['claims', ...place('claims')])).out;
  const [, twice = '', , rate = '', request = ''] =
    /^ {4}(\w+) +open +\S+ {2}duplicate_charge {2}(\w+).*\n {4}(\w+) +open +\S+ {2}amount_mismatch {2}(\w+)/m.exec(
      claims,
    ) ?? [];
  const names: Readonly<Record<string, string>> = {
    '202611221835090000056k8wptc7': request,
    '26bc3f6516c7': /bundle (\w+)/.exec(claims)?.[1] ?? '',
    b866942b5767: twice,
    eb9242ab537a: rate,
  };
  const lines = [...PAGE.matchAll(/^ {4}weighbridge (.+)$/gm)].map(([, line]) => line ?? '');
  expect(lines).toHaveLength(9);
  const said: string[] = [];
  for (const line of lines) {
    const args = line.split(' ').map((word) => names[word] ?? word);
    const { code, out } = await weighbridge([...args, ...place(args[0] ?? '')]);
    // A report ends with the verdict on its bill.
    expect({ line, code }).toEqual({ line, code: args[0] === 'report' ? 5 : 0 });
    said.push(withoutNames(out));
  }
  const shown = [...PAGE.matchAll(/^```text\n(.*?)\n```$/gms)].map(([, text]) => withoutNames(text ?? ''));
  expect(shown).toHaveLength(2);
  for (const text of shown) expect(said).toContain(text);
});
