import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { expect, onTestFinished, test } from 'vitest';
import { renderError } from '../../app/notices/render-error.ts';
import { UNWATCHED } from '../../app/notices/unwatched.test-support.ts';
import { targetFolderName } from '../../contracts/target-folder-name.ts';
import { chatBody, startTestGateway } from '../../gateway/parts/gateway.test-support.ts';
import { archivedFile, readArchive } from '../../pricebook/archive/archive-index.ts';
import { pullCommand } from './pull.ts';

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'weighbridge-pull-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  return dir;
}

async function pulled(env: Readonly<Record<string, string>>, ...flags: readonly string[]) {
  const said: string[] = [];
  const line = (text: string) => void said.push(text);
  let code = 0;
  const program = new Command('weighbridge');
  const terminal = {
    out: line,
    err: line,
    ...UNWATCHED,
    width: 100,
    env,
  };
  pullCommand(program, terminal, (status) => {
    code = status;
  });
  try {
    await program.parseAsync(['pull', ...flags], { from: 'user' });
  } catch (error) {
    const rendered = renderError(error);
    said.push(...rendered.lines);
    code = rendered.exitCode;
  }
  return { code, said: said.join('\n') };
}

test('every free document is stored as served, and the next pull tells what changed', async () => {
  const gateway = await startTestGateway();
  onTestFinished(() => gateway.running.close());
  const { base_url, api_key, access_token, user_id } = gateway.running.ready;
  const state = folder();
  const config = join(state, 'weighbridge.yaml');
  writeFileSync(
    config,
    `version: 1\nprobe:\n  targets: [{ name: main, url: ${base_url}, key: env:K, access_token: env:T, user_id: env:U }]\n`,
  );
  const env = { K: api_key, T: access_token, U: String(user_id) };
  const flags = ['--config', config, '--state', state];
  const first = await pulled(env, ...flags);
  expect(first.said).toMatch(/^main -> .*\/127\.0\.0\.1_\d+\/archive$/m);
  expect(first.said).toMatch(/pricebook: version .*, the first that was archived/);
  expect(first.said).toMatch(/models \(key\): \d+ models, the first list that was archived/);
  expect(first.said).toContain('records (30d): records: 0, new or other than before: 0, pages: 1');
  expect(first.said).toMatch(/account: \d+ units left/);
  expect(first.code).toBe(0);
  for (const secret of [api_key, access_token]) expect(first.said).not.toContain(secret);
  await gateway.call('POST', '/v1/chat/completions', chatBody());
  const second = await pulled(env, ...flags);
  expect(second.said).toMatch(/pricebook: version .*, unchanged/);
  expect(second.said).toMatch(/models \(none\): \d+ models, unchanged/);
  expect(second.said).toContain('records (30d): records: 1, new or other than before: 1, pages: 1');
  const third = await pulled(env, ...flags);
  expect(third.said).toContain('records (30d): records: 1, new or other than before: 0, pages: 1');
  const archive = join(state, targetFolderName(base_url), 'archive');
  const stretches = readArchive(archive);
  expect(new Set(stretches.map(({ what, part }) => `${what} ${part}`))).toEqual(
    new Set([
      'book null',
      'models none',
      'models key',
      'totals 1h',
      'totals 1d',
      'totals 30d',
      'records 30d/1',
      'account null',
    ]),
  );
  for (const stretch of stretches) expect(existsSync(archivedFile(archive, stretch))).toBe(true);
  const [book] = stretches.filter(({ what }) => what === 'book');
  if (book === undefined) throw new Error('no book');
  const served = await (await fetch(`${base_url}/pricing.usd.json`)).text();
  expect(readFileSync(archivedFile(archive, book), 'utf8')).toBe(served);
});

test('without a key what is public is stored; a gateway that is not there is told', async () => {
  const gateway = await startTestGateway();
  const { base_url } = gateway.running.ready;
  const state = folder();
  const flags = ['--target', base_url, '--state', state, '--json'];
  const open = await pulled({}, ...flags);
  expect(open.code).toBe(0);
  const documents = (text: string): readonly { document: string; problem: string | null }[] =>
    JSON.parse(text).targets[0].documents;
  expect(documents(open.said).map(({ document }) => document)).toEqual(['pricebook', 'models']);
  await gateway.running.close();
  const gone = await pulled({}, ...flags);
  expect(gone.code).toBe(3);
  expect(documents(gone.said).every(({ problem }) => problem !== null)).toBe(true);
});

test('without a gateway there is nothing to read', async () => {
  const file = join(folder(), 'weighbridge.yaml');
  writeFileSync(file, 'version: 1\n');
  const { code, said } = await pulled({}, '--config', file);
  expect(code).toBe(2);
  expect(said).toContain('Give --target URL');
});
