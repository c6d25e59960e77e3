import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { escapeHtml } from '../../text/escape-html.ts';
import {
  finding,
  HOSTILE_MODEL,
  measurementOf,
  reconciliation,
  reportInput,
} from '../report.test-support.ts';
import { CHART_SCRIPT } from './chart-script.ts';
import { chartData } from './charts.ts';
import { renderMarkdown } from './markdown.ts';
import { renderHtml, scriptJson } from './report-html.ts';

const HTML = renderHtml(
  reportInput({ reconciliation: reconciliation([finding({ explanation: HOSTILE_MODEL })]) }),
);

describe('report.html', () => {
  it('asks for nothing from outside', () => {
    const markup = HTML.replaceAll(/<script>[\s\S]*?<\/script>|<style>[\s\S]*?<\/style>/g, '');
    expect(markup).not.toMatch(/\b(?:src|srcset|action)=|<link|<img|<iframe|@import|url\(/);
    expect([...markup.matchAll(/href="([^"]*)"/g)].every(([, href]) => href?.startsWith('#') === true)).toBe(
      true,
    );
    expect(HTML).toContain("default-src 'none'");
  });

  it('lets exactly its own scripts run', () => {
    const scripts = [...HTML.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, script]) => script ?? '');
    expect(scripts).toHaveLength(3);
    const hashes = scripts.map(
      (script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`,
    );
    expect(HTML).toContain(`script-src ${hashes.join(' ')};`);
  });

  it('holds the whole licence of the code that draws its charts, and none where it draws none', () => {
    const licence = readFileSync(createRequire(import.meta.url).resolve('uplot/LICENSE'), 'utf8');
    expect(licence).toMatch(/^Copyright \(c\) \d{4} /m);
    expect(licence).toContain('Permission is hereby granted');
    expect(HTML).toContain(`<pre tabindex="0">${escapeHtml(licence.trimEnd())}</pre>`);
    const bare = renderHtml(reportInput({ measurement: null }));
    expect(bare).not.toMatch(/Licence of uPlot|var uPlot=/);
  });

  it('shows hostile names as text', () => {
    expect(HTML).not.toContain('<script>alert(1)');
    expect(HTML).toContain('&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;');
  });

  it('shows what would turn a line round, or is no text, as JSON writes it', () => {
    const explanation = 'rec \u202e100.0$ is due\u2066\u0000\u0007';
    const input = reportInput({ reconciliation: reconciliation([finding({ explanation })]) });
    const shown = String.raw`rec \u202e100.0$ is due\u2066\u0000\u0007`;
    expect(renderHtml(input)).toContain(shown);
    expect(renderMarkdown(input)).toContain(shown.replaceAll('\\', '\\\\'));
    for (const page of [renderHtml(input), renderMarkdown(input)])
      expect(page).not.toMatch(/(?![\n\t])[\p{Cc}\p{Bidi_Control}]/u);
  });

  it('answers in three cards before anything else', () => {
    const first = HTML.slice(HTML.indexOf('<header>'), HTML.indexOf('<main'));
    expect(first).toContain('$0.0125 charged above the price list: 1 finding.');
    expect(first).toContain('<dt>Charged</dt><dd>$1.2470678</dd>');
    expect(first).toContain('<dt>Coverage</dt><dd>98.99 % checked to the digit, 1.01 % within bounds</dd>');
    expect(first).toContain('38 of 40 calls succeeded.');
    expect(first).toContain('✓ chat ');
    expect(first).toContain('Your machine kept up. The latencies count.');
    expect([...first.matchAll(/<article class="card (\w+)" id="(\w+)">/g)].map(([, ...of]) => of)).toEqual([
      ['bad', 'answer'],
      ['warning', 'driven'],
      ['good', 'health'],
    ]);
  });

  it('tells a busy machine in words, and names the limit', () => {
    const measurement = measurementOf(['chat']);
    const reasons = ['CPU reached 2 of 2 cores'];
    const client = { ...measurement.client, verdict: 'client_limited', reasons } as const;
    const html = renderHtml(reportInput({ measurement: { ...measurement, client } }));
    expect(html).toContain('Your machine was too busy. Ignore the latencies.');
    expect(html).toContain('<dt>Limit passed</dt><dd>CPU reached 2 of 2 cores</dd>');
  });

  it('has a place for each chart and its data', () => {
    const json = /id="chart-data">([^<]*)</.exec(HTML)?.[1] ?? '';
    const data: unknown = JSON.parse(json);
    expect(data).toEqual(chartData(measurementOf(['chat', 'image'])));
    expect(HTML.match(/<figure>/g)).toHaveLength(6 + 7 + 4);
    expect(HTML.match(/class="panel" data-tab="[^"]*"/g)).toHaveLength(3);
  });

  it('has every section that its menu names, and keeps what they rest on closed', () => {
    const menu = /<nav .*?<\/nav>/s.exec(HTML)?.[0] ?? '';
    const ids = [...menu.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual(['findings', 'load', 'books', 'evidence']);
    for (const id of ids) expect(HTML).toContain(`<section id="${id}">`);
    const evidence = HTML.slice(HTML.indexOf('<section id="evidence">'));
    expect([...evidence.matchAll(/<details id="([^"]+)">/g)].map(([, id]) => id)).toEqual([
      'undecided',
      'money',
      'summary',
      'latency',
      'rests-on',
      'definitions',
      'repeat',
    ]);
    expect(HTML).not.toContain('<details open');
  });
});

describe('failed calls', () => {
  const message = 'size <b>64x64</b> is not made';

  it('show their reason, per scenario, as text', () => {
    const html = renderHtml(reportInput({ measurement: measurementOf(['chat', 'image'], message) }));
    const load = /<section id="load">.*?<\/section>/s.exec(html)?.[0] ?? '';
    expect(load).toContain(
      '<tr><td>chat</td><td class="number">2</td><td>http_error</td><td class="number">503</td><td>–</td><td>size &lt;b&gt;64x64&lt;/b&gt; is not made</td></tr>',
    );
  });

  it('have no table where none failed', () => {
    const html = renderHtml(reportInput({ measurement: measurementOf(['image']) }));
    expect(html).not.toContain('Failed calls and why');
  });
});

describe('escaping', () => {
  it('covers text and double-quoted attributes', () => {
    expect(escapeHtml(`<a b="c" d='e'>&`)).toBe('&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;');
  });

  it('keeps JSON whole and unable to end its element', () => {
    const value = { id: '</script><!--' };
    expect(scriptJson(value)).not.toContain('<');
    expect(JSON.parse(scriptJson(value))).toEqual(value);
  });
});

describe('chartData', () => {
  it('draws six charts of all kinds, and each kind in a tab of its own', () => {
    const measured = measurementOf(['chat', 'image']);
    const data = chartData({ ...measured, series: { ...measured.series, bucket_s: 2 } });
    expect(data.tabs.map(({ name, charts }) => [name, charts.map(({ title }) => title)])).toEqual([
      [
        'All kinds',
        [
          'Calls per second',
          'Calls in flight, at most',
          'Failed calls per second',
          'TTFT',
          'e2e p50 by kind',
          'e2e p95 by kind',
        ],
      ],
      [
        'chat',
        [
          'Calls per second',
          'Calls in flight, at most',
          'Failed calls per second',
          'TTFT',
          'e2e',
          'TTFT, share of calls',
          'e2e, share of calls',
        ],
      ],
      ['image', ['Calls per second', 'Calls in flight, at most', 'e2e', 'e2e, share of calls']],
    ]);
    const rate = data.tabs[1]?.charts[0]?.lines;
    expect(rate?.map(({ label, values }) => [label, values[0]])).toEqual([
      ['planned', 1],
      ['sent', 1],
      ['ok', 1],
    ]);
    expect(data.x.slice(0, 3)).toEqual([0, 2, 4]);
  });

  it('has a line for each kind whose percentile has enough calls, from send and from plan', () => {
    const [all] = chartData(measurementOf(['chat', 'image'])).tabs;
    const medians = all?.charts.find(({ title }) => title === 'e2e p50 by kind');
    expect(medians?.lines.map(({ label }) => label)).toEqual(['chat', 'image']);
    expect(medians?.planned?.map(({ label }) => label)).toEqual(['chat', 'image']);
    // Twenty calls of a kind give no p99, and no line that pretends one.
    expect(all?.charts.find(({ title }) => title === 'TTFT')?.lines.map(({ label }) => label)).toEqual([
      'p50',
    ]);
  });

  it('shows how the times lie, as the share of each bucket', () => {
    const bars = chartData(measurementOf(['chat', 'image'])).tabs.flatMap(({ charts }) =>
      charts.filter(({ bounds }) => bounds !== null),
    );
    expect(bars).toHaveLength(3);
    for (const { lines, bounds } of bars) {
      expect(lines[0]?.values).toHaveLength(bounds?.length ?? 0);
      const sum = lines[0]?.values.reduce<number>((total, value) => total + (value ?? 0), 0);
      expect(sum).toBeCloseTo(100, 2);
    }
  });
});

it('shades what is outside the measured time', () => {
  const { series, distributions } = measurementOf(['chat']);
  const window = { start: '2026-11-20T10:00:02.000Z', end: '2026-11-20T10:00:07.500Z' };
  expect(chartData({ series, distributions, window }).measured).toEqual([2, 7.5]);
  expect(chartData({ series, distributions, window: null }).measured).toBeNull();
  expect(HTML).toContain('Shaded: outside the measured time');
  expect(HTML).toContain('p50 from 5, p95 from 20, p99 from 100 calls a point');
  expect(HTML).not.toContain('in no figure of this page');
});

it('draws the charts as the page is read, before any frame', () => {
  const script = CHART_SCRIPT.slice(CHART_SCRIPT.lastIndexOf('let width'));
  expect(script).toMatch(/^let width = document\.body\.clientWidth;\s+draw\(\);\s+new ResizeObserver/);
});

it('shortens a mean of money for a reader, and keeps the exact one behind it', () => {
  const { load, ...rest } = measurementOf(['chat']);
  const kinds = load.kinds.map((kind) => ({
    ...kind,
    usd_per_1000_good: '15.482733333333',
    usd_per_1000_good_at_most: true,
  }));
  const input = reportInput({ measurement: { ...rest, load: { ...load, kinds } } });
  expect(renderHtml(input)).toContain(
    '<td class="number"><span title="≤ $15.482733333333">≤ $15.49</span></td>',
  );
  expect(renderMarkdown(input)).toContain('| ≤ $15.49 |');
});
