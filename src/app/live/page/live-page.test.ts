import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { loadOf, progressOf } from '../live.test-support.ts';
import { EventStreamReader } from './event-stream-reader.test-support.ts';
import { type LivePage, openLivePage } from './live-page.ts';

async function opened(said: string[] = []): Promise<LivePage> {
  const page = await openLivePage({ host: '127.0.0.1', port: 0 }, (line) => said.push(line));
  onTestFinished(() => page.close());
  return page;
}

interface Answered {
  readonly status: number | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: string;
}

function ask(url: string, options: { method?: string; host?: string } = {}): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const headers = options.host === undefined ? {} : { host: options.host };
    const asked = request(url, { method: options.method ?? 'GET', headers, agent: false }, (answer) => {
      text(answer).then(
        (body) => resolve({ status: answer.statusCode, headers: answer.headers, body }),
        reject,
      );
    });
    asked.on('error', reject).end();
  });
}

const frameSchema = z.object({ title: z.string(), html: z.string() });

test('the page shows what was known when it was asked for, with a policy that lets nothing else run', async () => {
  const said: string[] = [];
  const page = await opened(said);
  expect(said).toEqual([`live page: ${page.url}`]);
  page.push(progressOf({ target: '<b>bold</b>' }));
  const { status, headers, body } = await ask(page.url);
  expect(status).toBe(200);
  expect(body).toContain('<h1 class="plain">Load · 23 s of 60 · 37 s left</h1>');
  expect(body).toContain('&lt;b&gt;bold&lt;/b&gt;');
  expect(body).not.toContain('<b>');
  const policy = String(headers['content-security-policy']);
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).not.toContain('unsafe');
  expect(headers['x-content-type-options']).toBe('nosniff');
  expect(headers['cache-control']).toBe('no-store');
  expect(body).not.toMatch(/https?:\/\//);
});

test('a page of another site that leads its name here is refused, and so is whatever does not only read', async () => {
  const page = await opened();
  page.push(progressOf());
  for (const path of ['', 'events']) {
    const rebound = await ask(`${page.url}${path}`, { host: 'evil.example' });
    expect([rebound.status, rebound.body.includes('gateway.example')]).toEqual([403, false]);
  }
  const host = new URL(page.url).host;
  expect((await ask(page.url, { host: host.replace('127.0.0.1', 'localhost') })).status).toBe(200);
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD']) {
    const { status, headers } = await ask(page.url, { method });
    expect([method, status, headers['allow']]).toEqual([method, 405, 'GET']);
  }
  const { status, headers } = await ask(`${page.url}other`);
  expect([status, headers['access-control-allow-origin']]).toEqual([404, undefined]);
});

test('each frame is pushed, the verdict last, and then the end', async () => {
  const page = await opened();
  page.push(progressOf());
  const reader = await EventStreamReader.open(`${page.url}events`);
  onTestFinished(() => reader.close());
  const frame = async () => frameSchema.parse(JSON.parse((await reader.next()).data));
  expect((await frame()).title).toBe('Load · 23 s of 60 · 37 s left – Weighbridge');
  page.push(progressOf({ load: loadOf({ elapsed_ms: 24_000, left_ms: 36_000 }) }));
  expect((await frame()).title).toContain('24 s of 60');
  const verdict = {
    tone: 'bad' as const,
    headline: 'The bill does not hold: 1 finding at or above the gate.',
    lines: ['kind   planned  TTFT p50', 'chat         9       178', 'money     <checked>'],
    exit_codes: [5],
    report: 'reports/x/report.html',
  };
  page.push(progressOf({ stage: 'done', verdict }));
  const { html } = await frame();
  expect(html).toContain('<h1 class="bad">The bill does not hold: 1 finding at or above the gate.</h1>');
  expect(html).toContain(
    '<span>money     &lt;checked&gt;</span>\n<span>report    reports/x/report.html</span>',
  );
  // The table of the verdict is one, so that a phone shows cards and no line runs out of the page.
  expect(html).toContain('data-title="TTFT p50" class="number"><div>178</div>');
  expect(html).not.toContain('<span>chat');
  await page.close();
  expect((await reader.next()).event).toBe('end');
});

test('a port that is taken is said with the flag that gave it', async () => {
  const page = await opened();
  const port = Number(new URL(page.url).port);
  const second = openLivePage({ host: '127.0.0.1', port }, () => undefined);
  await expect(second).rejects.toMatchObject({
    code: 'listen_failed',
    hint: expect.stringContaining('another port with --ui;'),
  });
});

test('a page that others can reach says that it has no password', async () => {
  const said: string[] = [];
  const page = await openLivePage({ host: '::', port: 0 }, (line) => said.push(line));
  onTestFinished(() => page.close());
  expect(said.at(-1)).toContain('no password');
});
