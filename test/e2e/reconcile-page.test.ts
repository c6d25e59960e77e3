import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { UNWATCHED } from '../../src/app/notices/unwatched.test-support.ts';
import { runProgram } from '../../src/cli/program.ts';
import { startGateway } from '../../src/gateway/start-gateway.ts';
import { ROOT, sampleFolder, scratchDir } from '../support/run-weighbridge.ts';

const PAGE = readFileSync(join(ROOT, 'docs/reconcile.md'), 'utf8');
const page = z.looseObject({ data: z.array(z.record(z.string(), z.unknown())) });
const made = z.object({ api_key: z.string() });
const RUN = '20261120T100000Z-0000';

/** The names of the page, each as it is here; the longest first, since one may begin another. */
function replaced(line: string, names: Readonly<Record<string, string>>): readonly string[] {
  return line.split(' ').map((word) => names[word] ?? word);
}

test('every command of the page runs as shown', async () => {
  const running = await startGateway({
    port: 0,
    seed: 2,
    latency: 'fast',
    journalPath: join(scratchDir(), 'j'),
  });
  onTestFinished(() => running.close());
  const { base_url, api_key, control_url, control_token, user_id } = running.ready;
  const control = { authorization: `Bearer ${control_token}` };
  const body = JSON.stringify({ user_id });
  const second = await fetch(`${control_url}/keys`, { method: 'POST', headers: control, body });
  const started = new Date().toISOString();
  const bearer = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' };
  const chat = { model: 'aspen-mini', max_tokens: 9, messages: [{ role: 'user', content: 'A mill?' }] };
  const answer = await fetch(`${base_url}/v1/chat/completions`, {
    method: 'POST',
    headers: bearer,
    body: JSON.stringify(chat),
  });
  await answer.arrayBuffer();
  const over = Math.ceil(Date.now() / 1000 + 0.001) * 1000;
  while (Date.now() < over) await new Promise((resolve) => setTimeout(resolve, over - Date.now()));

  const dir = scratchDir();
  const file = (name: string, text: string): string => {
    writeFileSync(join(dir, name), text);
    return join(dir, name);
  };
  const since = Math.floor(Date.now() / 1000) - 3_600;
  const served = await fetch(`${base_url}/v1/usage/requests?start_time=${since}&limit=100`, {
    headers: bearer,
  });
  const { data } = page.parse(await served.json());
  const names = Object.keys(data[0] ?? {});
  const rows = [names, ...data.map((record) => names.map((name) => record[name]))];
  const evidence = {
    schema: 'weighbridge.evidence/1',
    call_id: 'mine',
    kind: 'chat',
    model: 'aspen-mini',
    started_at: started,
    outcome: 'ok',
    request_id: answer.headers.get('x-request-id'),
    prompt_bytes: 200,
  };
  const out = join(dir, 'reports');
  mkdirSync(out);
  cpSync(sampleFolder(), join(out, RUN), { recursive: true });
  const today = new Date().toISOString();
  const tokens: Readonly<Record<string, string>> = {
    'https://gateway.example': base_url,
    '2026-10': today.slice(0, 7),
    '2026-10-01': `${today.slice(0, 7)}-01`,
    '2026-10-15T12:00Z': '2099-10-15T12:00Z',
    'key.txt': file('key.txt', api_key),
    'second-key.txt': file('second-key.txt', made.parse(await second.json()).api_key),
    'records.csv': file('records.csv', rows.map((row) => `${row.join(',')}\n`).join('')),
    'prices.json': file('prices.json', await (await fetch(`${base_url}/pricing.usd.json`)).text()),
    'calls.ndjson': file('calls.ndjson', `${JSON.stringify(evidence)}\n`),
  };
  const lines = [...PAGE.matchAll(/^ {4}((?:WEIGHBRIDGE_\w+=\S+ )?weighbridge .+)$/gm)].map(
    ([, line]) => line ?? '',
  );
  expect(lines.length).toBeGreaterThan(8);
  const codes: string[] = [];
  for (const line of lines) {
    const env = /WEIGHBRIDGE_API_KEY_FILE=/.test(line) ? { WEIGHBRIDGE_API_KEY_FILE: tokens['key.txt'] } : {};
    const args = replaced(line.replace(/^.*?weighbridge /, ''), tokens);
    const said: string[] = [];
    const code = await runProgram([...args, '--out', out, '--state', join(dir, 'state')], {
      out: (text) => said.push(text),
      err: (text) => said.push(text),
      ...UNWATCHED,
      width: 120,
      env,
    });
    codes.push(`${code} ${line}`);
    expect({ line, said: said.join('\n') }).not.toMatchObject({ said: expect.stringContaining('error:') });
  }
  // A gateway that started just now has no last month.
  expect(codes).toEqual(lines.map((line) => `${line.includes('--month last') ? 7 : 0} ${line}`));
});
