import { describe, expect, it, test } from 'vitest';
import { probeViewOf, runOf, targetOf, VIEW_NOW, viewOf } from '../../view/daemon-view.test-support.ts';
import type { SpentView } from '../../view/daemon-view.ts';
import { ago, durationText, grouped, until, usdText } from './page-text.ts';
import { renderStatusPage } from './status-page.ts';

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
    expect(page).toContain('timeout_headers · blamed on the gateway · request req_9 · well 2 h ago');
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
    expect(page.split('at the cap: paid probes are held')).toHaveLength(2);
    const monthWords = (changed: SpentView) => {
      const [, words] = pageOf({ budget: { hour, day, month: changed } }).split('this month (UTC)</dt><dd>');
      return words?.slice(0, words.indexOf('</dd>'));
    };
    expect(monthWords({ ...month, limit: null })).toBe('$8.5, no cap');
    expect(monthWords({ spent: null, limit: null })).toBe('–');
    expect(monthWords({ ...month, spent: null })).toBe(
      '– of $60 <strong class="bad">not known: paid probes are held</strong>',
    );
  });

  it('says which cap holds a probe, and when it frees', () => {
    const cap = (spent: bigint, limit: bigint) => ({ spent: spent * 10n ** 9n, limit: limit * 10n ** 9n });
    const uncapped = { spent: 10n ** 15n, limit: null };
    const held = (hour: SpentView, day: SpentView, month: SpentView = uncapped) =>
      pageOf({ budget: { hour, day, month }, probes: [probeViewOf({ held: 'budget' })] });
    expect(held(cap(199n, 200n), cap(500n, 3_000n))).toContain(
      'held: $0.001 left of the hour&#39;s cap of $0.2: frees at 11:00 UTC',
    );
    expect(held(cap(0n, 200n), cap(3_000n, 3_000n))).toContain(
      'held: nothing left of the day&#39;s cap of $3: frees at 00:00 UTC',
    );
    // Of two that are used up the longer one is in the way for longer.
    expect(held(cap(200n, 200n), cap(300n, 3_000n), cap(3_000n, 3_000n))).toContain(
      'held: nothing left of the month&#39;s cap of $3: frees on 2026-12-01',
    );
    const forgotten = { spent: null, limit: 3n };
    expect(held(cap(200n, 200n), cap(300n, 3_000n), forgotten)).toContain(
      'held: nobody knows what this month has cost: its cap frees on 2026-12-01',
    );
    expect(held({ ...cap(0n, 200n), spent: null }, cap(0n, 3n), forgotten)).toContain(
      'held: the clock stands before what was spent last',
    );
    const negative = probeViewOf({ api: 'negative', held: 'paused' });
    expect(pageOf({ probes: [negative] })).toContain('held: nothing to ask with: no task is open');
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
    const audit = { at_ms: VIEW_NOW - 600_000, calls: 812, findings: 1, verdict: 'One charge does not hold' };
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
      'One charge does not hold',
      '812 calls, 1 finding',
      'weighbridge.yaml:3:5',
    ]) {
      expect(page).toContain(part);
    }
    expect(pageOf({})).not.toContain('last reload failed');
    expect(pageOf({})).toContain('No open task.');
  });

  it('says how old the newest run is, and that there is none', () => {
    expect(pageOf({})).toContain(
      '<dt>Newest run</dt><dd><time datetime="2026-11-20T09:59:40.000Z">20 s ago</time></dd>',
    );
    expect(pageOf({ probes: [probeViewOf({ runs: [] })] })).toContain('<dt>Newest run</dt><dd>none yet</dd>');
  });

  it('draws the last thirty runs, and says what the picture shows', () => {
    const runs = Array.from({ length: 40 }, (_, index) =>
      runOf({
        duration_ms: 100 + index,
        ...(index % 8 === 0 ? { error_type: 'http_5xx', blame: 'gateway' } : {}),
      }),
    );
    const page = pageOf({ probes: [probeViewOf({ runs })] });
    expect(page).toContain('aria-label="last 30 runs: 3 failed, 110 ms to 139 ms"');
    expect(page.match(/<rect class="ran"/g)).toHaveLength(27);
  });

  it('scales the picture by runs that were well: a timeout presses none flat', () => {
    const timeout = runOf({ duration_ms: 30_000, error_type: 'timeout_total', blame: 'gateway' });
    const page = pageOf({
      probes: [probeViewOf({ runs: [runOf({ duration_ms: 200 }), runOf({ duration_ms: 400 }), timeout] })],
    });
    expect([...page.matchAll(/class="ran"[^>]* height="(\d+)"/g)].map(([, height]) => height)).toEqual([
      '9',
      '18',
    ]);
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
            audit: { at_ms: 0, calls: 1, findings: 0, verdict: evil },
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
