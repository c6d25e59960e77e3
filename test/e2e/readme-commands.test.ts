import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { startGateway } from '../../src/gateway/start-gateway.ts';
import { shownOn } from '../support/docs/shown-commands.ts';
import { followLines } from '../support/follow-lines.ts';
import { ROOT, scratchDir } from '../support/run-weighbridge.ts';

const BY_HAND = shownOn('docs/scripts.md')
  .commands.map(({ command }) => command)
  .filter((command) => /by-hand/.test(command));

/** A gateway, and a folder like a clone after set-up that has a key for it. */
async function place() {
  const { ready, close } = await startGateway({ port: 0, seed: 1, latency: 'fast' });
  onTestFinished(close);
  const dir = scratchDir();
  for (const name of ['node_modules', '.cache', 'package.json', 'weighbridge.yaml'])
    symlinkSync(join(ROOT, name), join(dir, name));
  writeFileSync(join(dir, 'key.txt'), ready.api_key, { mode: 0o600 });
  return { dir, ready };
}

/** The program where the lines of a clone look for it. */
function withEntry(lines: readonly string[]): string {
  return lines.join('\n').replaceAll('bin/weighbridge.mjs', join(ROOT, 'bin/weighbridge.mjs'));
}

/** Takes what k6 pushes, and counts it. */
async function receiver() {
  const pushes: string[] = [];
  const server = createServer((request, response) => {
    pushes.push(request.url ?? '');
    request.resume().once('end', () => response.writeHead(204).end());
  }).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('expected a port');
  return { pushes, host: `127.0.0.1:${address.port}` };
}

test('the lines of docs/scripts.md for a script run by hand, and those that push it to Prometheus', async () => {
  const { dir, ready } = await place();
  expect(BY_HAND).toHaveLength(4);
  const lines = withEntry(BY_HAND).replace('https://host', `${ready.base_url} --duration 2s`);
  const judged = await followLines(lines, {}, dir);
  expect(judged.status, judged.said).toBe(0);
  expect(judged.said).toMatch(/difference \$0/);

  const { pushes, host } = await receiver();
  const push = shownOn('docs/dashboards.md')
    .commands.filter(({ command, block }) => block && /^(?:export|k6) /.test(command))
    .map(({ command }) => command.replace('127.0.0.1:9090', host));
  expect(push).toHaveLength(3);
  const env = {
    WEIGHBRIDGE_PLAN: 'reports/by-hand/plan.json',
    WEIGHBRIDGE_API_KEY_FILE: 'key.txt',
    K6_PROMETHEUS_RW_PUSH_INTERVAL: '1s',
    K6_HTTP_DEBUG: 'full',
  };
  const pushed = await followLines(push.join('\n'), env, dir);
  expect(pushed.status, pushed.said).toBe(0);
  expect(new Set(pushes)).toEqual(new Set(['/api/v1/write']));
  const row = readFileSync(join(dir, 'reports/by-hand/calls/left-0.ndjson'), 'utf8');
  expect(row).toContain('"instance":"left"');

  // `K6_HTTP_DEBUG` is what docs/network.md calls full: one chat call as the page shows it, but for the values.
  const page = readFileSync(join(ROOT, 'docs/network.md'), 'utf8');
  const [, shown = ''] = /^```\n(Request:\n.+?)^```/ms.exec(page) ?? [];
  const [said = ''] = exchangesOf(pushed.said).filter(
    (text) => text.includes('POST /v1/chat/completions') && text.includes('\nAccept: application/json\n'),
  );
  expect(outlineOf(said)).toEqual(outlineOf(shown));
});

/** What k6 logs of each exchange, in its order. */
function exchangesOf(said: string): readonly string[] {
  const texts = new Map<string, string>();
  for (const [, message = '', exchange = ''] of said.matchAll(/ msg=("(?:[^"\\]|\\.)*") exchange=(\d+) /g))
    texts.set(exchange, `${texts.get(exchange) ?? ''}${z.string().parse(JSON.parse(message))}\n`);
  return [...texts.values()];
}

/** Each line without its values, of an answer the names and kinds of what it holds; what a request asks for is its caller's. */
function outlineOf(text: string): readonly string[] {
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('{"model"'))
    .map((line) => {
      if (line.startsWith('{')) return JSON.stringify(kindsOf(JSON.parse(line)));
      return line.replace(/^([A-Z][\w-]+): (?!\[hidden\]).+/, '$1');
    });
}

function kindsOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(kindsOf);
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, kindsOf(part)]));
}

test('the lines of the README for a gateway of one’s own run as shown, in their order', async () => {
  const { dir, ready } = await place();
  // The folder has what a clone has, but for the configuration that `init` is to write.
  rmSync(join(dir, 'weighbridge.yaml'));
  const [key = '', ...own] = shownOn('README.md')
    .commands.filter(({ command, block }) => block && !command.startsWith('npm '))
    .map(({ command }) => command.replace('https://gateway.example', ready.base_url))
    .map((command) => command.replace('npx --no-install ', ''));
  const names = own.map((command) => command.split(' ')[1]);
  expect(names).toEqual(['doctor', 'init', 'pricebook', 'plan', 'audit', 'reconcile']);
  for (const command of own) {
    const name = command.split(' ')[1] ?? '';
    const { status, said } = await followLines(`${key}\n${command}${LESS[name] ?? ''}`, {}, dir);
    // Of a gateway that started just now nothing can be said of its month.
    expect(status, `${command}\n${said}`).toBe(name === 'reconcile' ? 7 : 0);
    if (name === 'audit')
      expect(existsSync(/report +(\S+report\.html)$/m.exec(said)?.[1] ?? ''), said).toBe(true);
  }
  const watch = shownOn('README.md').commands.find(({ command }) => command.includes(' probe '));
  const { status, said } = await followLines(`${key}\n${watch?.command} --dry-run`, {}, dir);
  expect(status, said).toBe(0);
});

/** A shorter load than the one that is shown. */
const LESS: Readonly<Record<string, string>> = { audit: ' --duration 4s' };

test('the audit of examples/README.md, of one plan on a gateway of one’s own', async () => {
  const { dir, ready } = await place();
  symlinkSync(join(ROOT, 'examples'), join(dir, 'examples'));
  const shown = shownOn('examples/README.md').commands.filter(({ command }) => command.includes(' audit '));
  expect(shown).toHaveLength(1);
  const line = `${shown[0]?.command.replace('https://gateway.example', ready.base_url)} --duration 2s --rate-scale 5`;
  const { status, said } = await followLines(line, {}, dir);
  expect(status, said).toBe(0);
  expect(said).toMatch(/difference \$0/);
});
