import { expect, onTestFinished } from 'vitest';
import { SecretValues } from '../../../src/client/secrets/secret-values.ts';
import { openProbeServer } from '../../../src/probe/server/probe-server.ts';
import {
  billOf,
  probeViewOf,
  runOf,
  targetOf,
  VIEW_NOW,
  viewOf,
} from '../../../src/probe/view/daemon-view.test-support.ts';
import type { DaemonView, ProbeView } from '../../../src/probe/view/daemon-view.ts';
import { DAY_SLOTS, type DayView, SLOT_MS } from '../../../src/probe/view/day-view.ts';
import type { ShownPage } from './shown-page.ts';

/** The address of a daemon that shows `view`, until the test ends. */
export async function statusAddress(view: () => DaemonView): Promise<string> {
  const server = await openProbeServer({
    listen: { host: '127.0.0.1', port: 0, tls: null, auth: null },
    daemon: {
      view,
      render: async () => ({ contentType: 'text/plain', body: '' }),
      reload: async () => ({ ok: true }),
      config: () => '',
      runNow: async () => null,
    },
    secrets: new SecretValues(),
    now: Date.now,
    onFault: (error) => {
      throw error;
    },
    onProblem: () => {},
  });
  onTestFinished(() => server.close(AbortSignal.abort()));
  return `${server.url}/`;
}

const LONG = `req_${'0123456789abcdef'.repeat(6)}`;
/** A day with an hour of trouble. */
const DAY: DayView = {
  slots: Array.from({ length: DAY_SLOTS - 6 }, (_, place) => ({
    start_ms: VIEW_NOW - place * SLOT_MS,
    good: place === 9 ? 3 : 29,
    failed: place === 9 ? 27 : place === 10 ? 4 : 0,
  })).toReversed(),
  first_tokens: [
    [280, 400],
    [350, 180],
    [1_200, 20],
  ],
};

const runs = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    runOf({
      duration_ms: 300 + ((index * 7919) % 400),
      ...(index % 11 === 5 ? { error_type: 'http_5xx', blame: 'gateway' } : {}),
    }),
  );

export const REFUSED = runOf({
  error_type: 'timeout_first_token',
  blame: 'gateway',
  why: 'expected the first token within 30 s, found none after the headers; <b>not bold</b>',
  request_id: LONG,
  duration_ms: 30_004,
});

const example = {
  request_id: LONG,
  model: 'aspen-large',
  explanation: 'The record names 512 output tokens; the answer has 480. <b>not bold</b>',
  next_step: 'Send the gateway the request id and ask for the difference.',
};

const BILL = billOf({
  at_ms: VIEW_NOW - 600_000,
  findings: 14,
  verdict: 'findings',
  groups: [
    { class: 'duplicate_charge', findings: 9, delta_usd: '0.004182', partly: false, example },
    { class: 'token_mismatch', findings: 3, delta_usd: '0.000031', partly: true, example },
    { class: 'unrecorded_request', findings: 1, delta_usd: null, partly: false, example },
    { class: 'failed_task_not_refunded', findings: 1, delta_usd: '0.4', partly: false, example },
  ],
});

/** Something of everything that the page can show, with names as long as they come. */
export const EVERYTHING = viewOf({
  reload: {
    successful: false,
    last_success_ms: VIEW_NOW - 4_000_000,
    problem: `/etc/weighbridge/${'very-long-folder-name/'.repeat(5)}weighbridge.yaml:12:7 probe.text.every: must be 10s or longer: each run is paid — found "1s"`,
  },
  targets: [
    targetOf({
      probes: [
        probeViewOf({ runs: runs(30), day: DAY, running_since_ms: VIEW_NOW - 31_000 }),
        probeViewOf({
          name: 'messages-stream-aspen-large',
          api: 'messages',
          stream: true,
          price: 'assumed',
          day: DAY,
          runs: [...runs(29), REFUSED],
        }),
        probeViewOf({
          name: 'image-job-willow',
          api: 'image_job',
          model: 'willow-image-1',
          runs: runs(3),
          held: 'budget',
        }),
        probeViewOf({ name: 'models', api: 'models', model: null, runs: [] }),
      ],
      budget: {
        hour: { spent: 412_345_678_901n, limit: 500_000_000_000n },
        day: { spent: 5_000_000_000_000n, limit: 5_000_000_000_000n },
        month: { spent: 61_204_118_930_002n, limit: 100_000_000_000_000n },
      },
      tasks_open: [
        {
          probe: 'video',
          api: 'video',
          id: `video_${'f'.repeat(60)}`,
          created_ms: VIEW_NOW - 95_000,
          status: 'in_progress',
        },
      ],
      credit_units: 12_345_678n,
      audit: BILL,
    }),
    targetOf({
      name: `a-target-of-a-very-long-name-${'x'.repeat(40)}`,
      root: `https://${'sub.'.repeat(20)}example`,
    }),
  ],
});

const NOT_RUN = { runs: [], last_success_ms: null };

function manyProbes(count: number): readonly ProbeView[] {
  return Array.from({ length: count }, (_, place) =>
    probeViewOf({
      name: `chat-model-${place}`,
      model: `vendor/model-${place}-instruct`,
      day: DAY,
      runs: place % 7 === 3 ? [...runs(29), REFUSED] : runs(30),
    }),
  );
}

const VIEWS: Readonly<Record<string, DaemonView>> = {
  starting: viewOf({
    state: 'starting',
    not_ready: 'the task journal is read',
    targets: [targetOf({ probes: [probeViewOf(NOT_RUN), probeViewOf({ ...NOT_RUN, name: 'models' })] })],
  }),
  empty: viewOf({ targets: [targetOf({ probes: [] })] }),
  small: viewOf({ targets: [targetOf({ probes: [probeViewOf({ stream: true, day: DAY })] })] }),
  large: viewOf({ targets: ['a', 'b'].map((name) => targetOf({ name, probes: manyProbes(35) })) }),
  everything: EVERYTHING,
};

/** The daemon's pages just started, without a probe, with one, with many of which some fail, and with all that it can show. */
export function statusPages(): readonly ShownPage[] {
  return [
    ...Object.entries(VIEWS).map(([name, view]) => shownPage(`status-${name}`, view, '', 'target')),
    ...(['small', 'everything'] as const).map((name) =>
      shownPage(`findings-${name}`, VIEWS[name] ?? EVERYTHING, 'findings', 'findings'),
    ),
  ];
}

function shownPage(name: string, view: DaemonView, path: string, id: string): ShownPage {
  return {
    name,
    address: async () => `${await statusAddress(() => view)}${path}`,
    async expected(page) {
      expect(await page.getByRole('main').count()).toBe(1);
      expect(await page.locator(`main section h2[id^=${id}]`).count()).toBe(view.targets.length);
    },
  };
}
