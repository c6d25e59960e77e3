import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { nextStep } from '../src/app/capacity/capacity-search.ts';
import { readStatement, storeStatement } from '../src/app/folder/statement-file.ts';
import { figuresOf, loadOf, progressOf } from '../src/app/live/live.test-support.ts';
import { frame } from '../src/cli/terminal/frame.ts';
import { loadConfig } from '../src/config/load-config.ts';
import { PAID_KINDS } from '../src/core/call-kind.ts';
import { ruleGroups } from '../src/dashboards/rules/rule-groups.ts';
import { readFaultHeader } from '../src/gateway/faults/read-fault-header.ts';
import { readReadings } from '../src/gateway/readings/read-readings.ts';
import { OWN_READINGS } from '../src/gateway/readings/readings.ts';
import { readAnswerTexts } from '../src/ledger/answer-texts.ts';
import { callRow } from '../src/measure/ledger.test-support.ts';
import { readMapping } from '../src/pricebook/read/mapping-file.ts';
import { readPriceBook } from '../src/pricebook/read/read-price-book.ts';
import { REQUIREMENT_BREAKS } from './requirements/all-breaks.ts';
import { ROOT } from './support/run-weighbridge.ts';

const dir = mkdtempSync(join(tmpdir(), 'wb-page-texts-'));
afterAll(() => rmSync(dir, { recursive: true }));

const pageOf = (name: string): string => readFileSync(join(ROOT, 'docs', name), 'utf8');

/** The blocks of a page in a language, or those that are set in by four spaces. */
function blocks(name: string, language: string): readonly string[] {
  if (language === 'indented')
    return [...pageOf(name).matchAll(/(?<=\n\n)((?: {4}.*\n)+)/g)].map(([, text = '']) =>
      text.replaceAll(/^ {4}/gm, ''),
    );
  const fence = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\``, 'gms');
  return [...pageOf(name).matchAll(fence)].map(([, text = '']) => text);
}

/** The one block of the page that holds the words. */
function block(name: string, language: string, words: string): string {
  const found = blocks(name, language).filter((text) => text.includes(words));
  expect(found).toHaveLength(1);
  return found[0] ?? '';
}

function written(name: string, text: string): string {
  const file = join(dir, name);
  writeFileSync(file, text);
  return file;
}

test.each([
  ['dashboards.md', 'remote_write:'],
  ['capacity.md', 'objectives:'],
  ['pricebooks.md', 'agreed:'],
  ['price-lists.md', 'agreed:'],
  ['cache.md', 'block_tokens:'],
  ['cache.md', 'promised:'],
])('docs/%s: the configuration with %s holds', (name, words) => {
  const file = written(`${name}.yaml`, block(name, 'yaml', words));
  expect(() => loadConfig({ file, env: {}, flags: {} })).not.toThrow();
});

const matchers = z.array(z.string());
const alertmanager = z.object({
  route: z.object({
    receiver: z.string(),
    routes: z.array(z.looseObject({ matchers, receiver: z.string() })),
  }),
  inhibit_rules: z.array(z.looseObject({ source_matchers: matchers, target_matchers: matchers })),
  receivers: z.array(z.object({ name: z.string() })),
});

test('docs/dashboards.md: the example for Alertmanager names alerts, severities and receivers that there are', () => {
  const { route, inhibit_rules, receivers } = alertmanager.parse(
    parse(block('dashboards.md', 'yaml', 'receivers:')),
  );
  const named = receivers.map(({ name }) => name);
  expect(
    [route, ...route.routes].map(({ receiver }) => receiver).filter((name) => !named.includes(name)),
  ).toEqual([]);
  const rules = ruleGroups({ timeScale: 1 }).flatMap((group) =>
    group.rules.flatMap((rule) => ('alert' in rule ? [rule] : [])),
  );
  const all = [
    ...route.routes.flatMap((one) => one.matchers),
    ...inhibit_rules.flatMap(({ source_matchers, target_matchers }) => [
      ...source_matchers,
      ...target_matchers,
    ]),
  ];
  expect(all.length).toBeGreaterThan(5);
  for (const matcher of all) {
    const [, label = '', value = ''] = /^(\w+)=~?"(.+)"$/.exec(matcher) ?? [];
    const of = new RegExp(`^(?:${value})$`);
    const told = rules.map(
      ({ alert, labels }) => new Map(Object.entries({ ...labels, alertname: alert })).get(label) ?? '',
    );
    expect({ matcher, matches: told.some((text) => of.test(text)) }).toEqual({ matcher, matches: true });
  }
});

test('docs/gateway.md: each switch of the readings stands at a point', () => {
  const text = pageOf('gateway.md');
  const points = text.slice(text.indexOf('| 1 unused part'), text.indexOf('### Versions of the price book'));
  expect(points.match(/^\| \d/gm)).toHaveLength(24);
  expect(Object.keys(OWN_READINGS).filter((name) => !points.includes(`\`${name}\``))).toEqual([]);
});

test('docs/gateway.md: the readings and the fault header that are shown can be read', () => {
  const readings = readReadings({
    text: block('gateway.md', 'indented', 'book_changes:'),
    file: 'readings.yaml',
  });
  expect(readings).toMatchObject({ amount: 'gross', cursor: 'offset' });
  const [, header = ''] =
    /^X-Weighbridge-Fault: (.+)$/m.exec(block('gateway.md', 'indented', 'X-Weighbridge')) ?? [];
  const endpoint = '/v1/chat/completions';
  const subject = {
    endpoint,
    kind: 'chat',
    model: 'aspen-mini',
    keyFingerprint: 'f',
    keyOrdinal: 1,
    stream: true,
  } as const;
  expect(readFaultHeader(header, subject)).toHaveLength(1);
});

test('docs/pricebooks.md: the lists and the mapping that are shown can be read in full', () => {
  for (const text of [
    block('pricebooks.md', 'csv', 'aspen-1'),
    block('pricebooks.md', 'yaml', 'agreed with'),
  ]) {
    const book = readPriceBook(Buffer.from(text));
    if ('unreadable' in book) expect.fail(book.unreadable.join('\n'));
    expect(book).toMatchObject({
      partial: false,
      coverage: { models_mapped: 2, unmapped_keys: [], unsupported: [] },
    });
  }
  expect(() => readMapping(block('pricebooks.md', 'yaml', 'catalog.name'), 'mapping.yaml')).not.toThrow();
});

test('docs/pricebooks.md: each example of a mapping reads the book above it in full', () => {
  const shown = [...pageOf('pricebooks.md').matchAll(/`(\{[^`]*\})`[^`]*```yaml\n(schema: [^`]*)```/g)];
  const read = shown.map(([, book = '', mapping = '']) => {
    const reading = readPriceBook(Buffer.from(book), { mapping: readMapping(mapping, 'mapping.yaml') });
    if ('unreadable' in reading) expect.fail(reading.unreadable.join('\n'));
    expect(reading).toMatchObject({ partial: false, coverage: { unmapped_keys: [], unsupported: [] } });
    return reading.book.models.flatMap(({ components, tiers }) =>
      [...components, ...(tiers?.thresholds ?? []).flatMap((above) => above.components)].map(
        ({ meter, price, per }) => `${meter} ${price}/${per}`,
      ),
    );
  });
  const images = ['image 0.01/1', 'image 0.01/1', 'image 0.04/1'];
  expect(read).toEqual([
    ['input_token 0.15/1000000'],
    ['input_token 2/1000000', 'output_token 8/1000000'],
    [...images, 'request 0.005/1', ...images],
    ['input_token 1/1000000', 'input_token 2/1000000', 'input_token 0.5/1000000'],
  ]);
});

test('docs/report-format.md: the account statement that is shown can be read', () => {
  storeStatement(dir, written('statement-shown.yaml', block('report-format.md', 'yaml', 'top_ups:')));
  expect(readStatement(dir)).toMatchObject({ opening: '100', closing: '85.2' });
});

test('docs/ledger-format.md: the text of an answer that is shown is one that the reader takes', async () => {
  const line = block('ledger-format.md', 'ndjson', 'weighbridge.text/1');
  const { call_id, text } = z.object({ call_id: z.string(), text: z.string() }).parse(JSON.parse(line));
  const text_sha256 = createHash('sha256').update(text).digest('hex');
  const file = written('i0-0.texts', line);
  const read = await readAnswerTexts([file], [callRow(0, { call_id, text_sha256 })]);
  expect(read.get(call_id)).toMatchObject({ text, beside: [] });
});

/** `chat 2.50 2.50 2 41 …` of the page as figures. */
function figuresShown(line: string): ReturnType<typeof figuresOf> {
  const [asked = 0, got = 0, flight = 0, ok = 0, failed = 0, ttft50, ttft95, e2e50, e2e95, tokens] = line
    .trim()
    .split(/ +/)
    .slice(1)
    .map((cell) => (cell === '–' ? undefined : Number(cell)));
  const times = (p50_ms: number | undefined, p95_ms: number | undefined) =>
    p50_ms === undefined || p95_ms === undefined ? null : { count: 1, p50_ms, p95_ms, p99_ms: p95_ms };
  return figuresOf({
    asked_rate: asked,
    started_rate: got,
    in_flight: flight,
    ok,
    failed,
    dropped: 0,
    ttft: times(ttft50, ttft95),
    e2e: times(e2e50, e2e95),
    tokens_per_s: tokens === undefined ? null : { input: 0, output: tokens },
  });
}

test('docs/live-view.md: the frame is what a terminal of 110 columns gets for these figures', () => {
  const shown = block('live-view.md', 'indented', 'in flight').trimEnd().split('\n');
  const rows = shown.filter((line) => /^[a-z_]+ +\d/.test(line));
  const load = loadOf({
    elapsed_ms: 18_000,
    planned_ms: 25_000,
    left_ms: 7_000,
    kinds: rows.slice(0, -1).map((line) => {
      const kind = PAID_KINDS.find((each) => line.startsWith(`${each} `));
      if (kind === undefined) throw new Error(`no kind of call begins ${line}`);
      return { kind, ...figuresShown(line) };
    }),
    total: figuresShown(rows.at(-1) ?? ''),
    errors: [],
    objectives: [],
    spend: { at_most_usd: '0.646024574', cap_usd: null },
    client: { cpu_cores: 0.032, sched_lag_ms: 0.61, timer_lag_ms: 0.5, rows_lost: 0 },
  });
  const progress = progressOf({ target: 'embedded gateway', load });
  expect(frame(progress, { columns: 110, rows: 40 }, false)).toEqual(shown);
});

test('docs/requirements.md: the lines of the breaks say what these breaks do', () => {
  const lines = block('requirements.md', 'indented', 'page.limit: 1 red');
  const told = [...lines.matchAll(/^(?:ok|FAIL) +([\w.]+)[: ].*\(.*\): the service (.+)$/gm)];
  expect(told).toHaveLength(2);
  const all: Readonly<Record<string, { readonly instead: string }>> = REQUIREMENT_BREAKS;
  for (const [, id = '', instead] of told) expect([id, all[id]?.instead]).toEqual([id, instead]);
});

const steps = z.array(
  z.object({ rate_scale: z.number(), verdict: z.enum(['held', 'missed', 'client_limited']) }),
);

test('docs/capacity.md: the factors follow from each other as the search takes them, and the table has the same', () => {
  const page = pageOf('capacity.md');
  const shown = [...page.matchAll(/^step\d+: (\S+) × the planned rates\n {2}(\w+)/gm)];
  const made = steps.parse(shown.map(([, scale, verdict]) => ({ rate_scale: Number(scale), verdict })));
  const [, from = '', resolution = '', most = ''] =
    /--find-capacity --from (\S+) --step \S+ --resolution (\S+) --most-steps (\d+)/.exec(page) ?? [];
  const bounds = { from: Number(from), resolution: Number(resolution), mostSteps: Number(most) };
  expect(made).toHaveLength(6);
  for (const [index, { rate_scale }] of made.entries())
    expect(nextStep(made.slice(0, index), bounds)).toEqual({ scale: rate_scale });
  expect(nextStep(made, bounds)).toEqual({ ended: 'client_limited' });
  const table = [...page.matchAll(/^\| step\d+ \| (\S+) \|.* (\w+) \|$/gm)];
  expect(table.map(([, scale, verdict]) => ({ rate_scale: Number(scale), verdict }))).toEqual(made);
});
