import { describe, expect, it, test } from 'vitest';
import {
  billOf,
  probeViewOf,
  runOf,
  targetOf,
  VIEW_NOW,
  viewOf,
} from '../../view/daemon-view.test-support.ts';
import type { SpentView } from '../../view/daemon-view.ts';
import { dayStrip } from './day-strip.ts';
import { ago, durationText, grouped, until, usdText } from './page-text.ts';
import { renderStatusPage } from './status-page.ts';

const evilGroup = (evil: string) => ({
  class: 'duplicate_charge' as const,
  findings: 1,
  delta_usd: null,
  partly: false,
  example: { request_id: evil, model: evil, explanation: evil, next_step: evil },
});

const pageOf = (target: Parameters<typeof targetOf>[0]) =>
  renderStatusPage(viewOf({ targets: [targetOf(target)] }));

describe('renderStatusPage', () => {
  it('tells of a failed run when, why, by whose fault, and since when', () => {
    const run = runOf({
      error_type: 'timeout_headers',
      blame: 'gateway',
      why: 'expected an answer within 30 s, found none',
      request_id: 'req_9',
      duration_ms: 30_012,
    });
    const page = pageOf({ probes: [probeViewOf({ runs: [run], last_success_ms: VIEW_NOW - 7_200_000 })] });
    expect(page).toContain('expected an answer within 30 s, found none');
    expect(page).toContain('timeout_headers · caused by the gateway · request req_9 · last success 2 h ago');
    expect(page).toContain('<div>30 s</div>');
    expect(page).toContain('>20 s ago</time>');
    expect(page).toContain('>in 40 s</time>');
  });

  it('shows spend against the budget, and says where it is used up', () => {
    const hour = { spent: 2_000_000_000_000n, limit: 2_000_000_000_000n };
    const day = { spent: 42_000_000n, limit: 10_000_000_000_000n };
    const month = { spent: 8_500_000_000_000n, limit: 60_000_000_000_000n };
    const page = pageOf({ budget: { hour, day, month } });
    expect(page).toContain('<dt>Spend this hour</dt><dd>$2 of $2 ');
    expect(page).toContain('<dt>Spend today (UTC)</dt><dd>$0.000042 of $10 ');
    expect(page).toContain('<dt>Spend this month (UTC)</dt><dd>$8.5 of $60 <meter ');
    expect(page.split('the cap is reached, so paid probes are paused')).toHaveLength(2);
    const monthWords = (changed: SpentView) => {
      const [, words] = pageOf({ budget: { hour, day, month: changed } }).split('this month (UTC)</dt><dd>');
      return words?.slice(0, words.indexOf('</dd>'));
    };
    expect(monthWords({ ...month, limit: null })).toBe('$8.5, no cap');
    expect(monthWords({ spent: null, limit: null })).toBe('–');
    expect(monthWords({ ...month, spent: null })).toBe(
      '– of $60 <strong class="bad">the spend is not known, so paid probes are paused</strong>',
    );
  });

  it('says which cap holds a probe, and when it frees', () => {
    const cap = (spent: bigint, limit: bigint) => ({ spent: spent * 10n ** 9n, limit: limit * 10n ** 9n });
    const uncapped = { spent: 10n ** 15n, limit: null };
    const held = (hour: SpentView, day: SpentView, month: SpentView = uncapped) =>
      pageOf({ budget: { hour, day, month }, probes: [probeViewOf({ held: 'budget' })] });
    expect(held(cap(199n, 200n), cap(500n, 3_000n))).toContain(
      'paused: $0.001 left of the hour&#39;s cap of $0.2; it resets at 11:00 UTC',
    );
    expect(held(cap(0n, 200n), cap(3_000n, 3_000n))).toContain(
      'paused: nothing left of the day&#39;s cap of $3; it resets at 00:00 UTC',
    );
    // Of two that are used up the longer one is in the way for longer.
    expect(held(cap(200n, 200n), cap(300n, 3_000n), cap(3_000n, 3_000n))).toContain(
      'paused: nothing left of the month&#39;s cap of $3; it resets on 2026-12-01',
    );
    const forgotten = { spent: null, limit: 3n };
    expect(held(cap(200n, 200n), cap(300n, 3_000n), forgotten)).toContain(
      'paused: the spend of this month is not known; its cap resets on 2026-12-01',
    );
    expect(held({ ...cap(0n, 200n), spent: null }, cap(0n, 3n), forgotten)).toContain(
      'paused: the clock was set back before the last spend',
    );
    const unpriced = probeViewOf({ held: 'no_price', price: 'unknown' });
    expect(pageOf({ probes: [unpriced] })).toContain('paused: no price list has a price for this model');
    expect(pageOf({ probes: [unpriced] })).toContain('every 1 min · price unknown');
    expect(pageOf({ probes: [probeViewOf({ price: 'assumed' })] })).toContain('· assumed price');
    const negative = probeViewOf({ api: 'negative', held: 'paused' });
    expect(pageOf({ probes: [negative] })).toContain('paused: it needs an open task, and none is open');
  });

  it('folds on a phone only the probes that ask for nobody', () => {
    const probes = [
      probeViewOf({ name: 'fine' }),
      probeViewOf({ name: 'young', runs: [] }),
      probeViewOf({ name: 'broken', runs: [runOf({ error_type: 'dns', blame: 'network' })] }),
      probeViewOf({ name: 'waiting', held: 'budget' }),
      probeViewOf({ name: 'old', runs: [runOf({ ended_ms: VIEW_NOW - 200_000 })] }),
    ];
    const calm = [...pageOf({ probes }).matchAll(/class="calm"><th[^>]*><span class="name">(\w+)/g)];
    expect(calm.map(([, name]) => name)).toEqual(['fine', 'young']);
  });

  it('shows credit in the units of the site, never as money', () => {
    const page = pageOf({ credit_units: 12_345_678n });
    expect(page).toContain('<dd>12,345,678 site units</dd>');
    expect(page).not.toContain('$');
  });

  it('shows open tasks, the audit and a reload that failed', () => {
    const task = {
      probe: 'video',
      api: 'video',
      id: 'video_123',
      created_ms: VIEW_NOW - 185_000,
      status: 'in_progress',
    } as const;
    const audit = billOf({ at_ms: VIEW_NOW - 600_000, findings: 1, verdict: 'findings' });
    const reload = {
      successful: false,
      last_success_ms: VIEW_NOW,
      problem: 'weighbridge.yaml:3:5 probe.every: must be a duration',
    };
    const page = renderStatusPage(viewOf({ reload, targets: [targetOf({ tasks_open: [task], audit })] }));
    for (const part of [
      '<code>video_123</code>',
      'in_progress',
      '3 min ago',
      '<a href="findings">1 finding</a>',
      '812 calls, checked 10 min ago',
      'weighbridge.yaml:3:5',
    ]) {
      expect(page).toContain(part);
    }
    expect(pageOf({})).not.toContain('last reload failed');
    expect(pageOf({})).toContain('No open task.');
  });

  it('says how old the newest run is, and that there is none', () => {
    expect(pageOf({})).toContain('Newest run: <time datetime="2026-11-20T09:59:40.000Z">20 s ago</time>');
    expect(pageOf({ probes: [probeViewOf({ runs: [] })] })).toContain('Newest run: none yet');
  });

  it('tells availability, first token, bill and spend of each target', () => {
    const slot = (hours: number, good: number, failed: number) => ({
      start_ms: VIEW_NOW - hours * 3_600_000,
      good,
      failed,
    });
    const days = [
      {
        slots: [slot(3, 1_000, 1), slot(1, 500, 0)],
        first_tokens: [
          [300, 95],
          [900, 5],
        ] as const,
      },
      { slots: [slot(3, 0, 0), slot(1, 500, 0)], first_tokens: [] },
    ];
    const budget = {
      hour: { spent: 0n, limit: 10n ** 12n },
      day: { spent: 42_000_000n, limit: 3n * 10n ** 12n },
      month: { spent: null, limit: null },
    };
    const probes = days.map((day, place) => probeViewOf({ name: `p${place}`, day }));
    const page = pageOf({ probes, budget, audit: billOf({}) });
    expect(page).toContain('<dd class="bad">99.95 %</dd><dd class="what">1 of 2001 runs failed</dd>');
    expect(page).toContain('<dd>300 ms</dd><dd class="what">median; 95 % within 300 ms</dd>');
    expect(page).toContain(
      '<dd class="good">no findings</dd><dd class="what">812 calls, checked 1 min ago</dd>',
    );
    expect(page).toContain('<dd>$0.000042</dd><dd class="what">of $3</dd>');
    expect(page).toContain(
      'aria-label="24 hours: 99.95 % of 2001 runs succeeded; the last failures are from the half hours of 07:00 UTC"',
    );
    expect(page).toContain('aria-label="24 hours: 99.93 % of 1501 runs');
    const bare = pageOf({ probes: [probeViewOf({})] });
    expect(bare).toContain('<dd>–</dd><dd class="what">no run yet</dd>');
    expect(bare).toContain('<dd>–</dd><dd class="what">no probe streams</dd>');
    expect(bare).toContain('<dd>not checked yet</dd>');
    const few = pageOf({ audit: billOf({ verdict: 'inconclusive' }) });
    expect(few).toContain('<dd>cannot be told</dd><dd class="what">too little could be checked of 812 calls');
  });

  it('draws 48 half hours, the newest at the right, and one failure among hundreds', () => {
    const slots = [
      { start_ms: VIEW_NOW - 23.5 * 3_600_000, good: 5, failed: 0 },
      { start_ms: VIEW_NOW, good: 500, failed: 1 },
    ];
    const strip = dayStrip(slots, VIEW_NOW + 60_000);
    expect(strip.match(/class="idle"/g)).toHaveLength(46);
    expect(strip).toContain('<rect class="ran" x="0" ');
    expect(strip).toContain('<rect class="failed" x="188" y="0" width="3" height="4"/>');
  });

  it('shows the bill above the targets where it has findings, and nothing of it where it has none', () => {
    const example = { request_id: 'req_1', model: 'm', explanation: 'e', next_step: 'n' };
    const group = {
      class: 'duplicate_charge',
      findings: 2,
      delta_usd: '0.5',
      partly: false,
      example,
    } as const;
    const audit = billOf({ verdict: 'findings', findings: 2, groups: [group] });
    const page = pageOf({ audit });
    expect(page.indexOf('Findings in the bill')).toBeLessThan(page.indexOf('id="target-0"'));
    expect(page).toContain('<li>Two charges for one request: 2 findings, $0.5 too much</li>');
    expect(page).toContain('2 findings in 812 calls, checked');
    expect(pageOf({ audit: billOf({}) })).not.toContain('Findings in the bill');
  });

  it('takes every text as text', () => {
    const evil = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&`;
    const run = runOf({ why: evil, error_type: 'assertion', request_id: evil });
    const page = renderStatusPage(
      viewOf({
        version: evil,
        not_ready: evil,
        reload: { successful: false, last_success_ms: 0, problem: evil },
        targets: [
          targetOf({
            name: evil,
            root: evil,
            probes: [probeViewOf({ name: evil, model: evil, held: evil, runs: [run] })],
            tasks_open: [{ probe: evil, api: 'video', id: evil, created_ms: 0, status: evil }],
            audit: billOf({ findings: 1, groups: [evilGroup(evil)] }),
          }),
        ],
      }),
    );
    expect(page).not.toContain('<img');
    expect(page.match(/<script/g)).toHaveLength(1);
    expect(page.match(/&quot;&gt;&lt;script&gt;/g)?.length).toBeGreaterThan(12);
  });
});

test.each([
  [-5, '0 ms'],
  [999, '999 ms'],
  [2_450, '2.4 s'],
  [59_999, '59 s'],
  [60_000, '1 min'],
  [7_199_000, '1 h'],
  [200_000_000, '2 d'],
])('a span of %i ms is %s', (ms, words) => {
  expect(durationText(ms)).toBe(words);
});

test('words of time and amounts', () => {
  expect([ago(3), ago(61_000), until(-5_000), until(999), until(90_000)]).toEqual([
    'just now',
    '1 min ago',
    'due',
    'due',
    'in 1 min',
  ]);
  expect([usdText(-1_500_000_000_000n), usdText(0n)]).toEqual(['-$1.5', '$0']);
  expect([grouped(0n), grouped(-1_234n), grouped(123_456n)]).toEqual(['0', '-1,234', '123,456']);
});
