import { expect, onTestFinished } from 'vitest';
import { SecretValues } from '../../../src/client/secrets/secret-values.ts';
import { openProbeServer } from '../../../src/probe/server/probe-server.ts';
import {
  probeViewOf,
  runOf,
  targetOf,
  VIEW_NOW,
  viewOf,
} from '../../../src/probe/view/daemon-view.test-support.ts';
import type { DaemonView, ProbeView } from '../../../src/probe/view/daemon-view.ts';
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
        probeViewOf({ runs: runs(30) }),
        probeViewOf({
          name: 'messages-stream-aspen-large',
          api: 'messages',
          stream: true,
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
      audit: { at_ms: VIEW_NOW - 600_000, calls: 812, findings: 2, verdict: 'Two charges do not hold' },
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
  small: viewOf({}),
  large: viewOf({ targets: ['a', 'b'].map((name) => targetOf({ name, probes: manyProbes(35) })) }),
  everything: EVERYTHING,
};

/** The daemon's page just started, without a probe, with one, with many of which some fail, and with all that it can show. */
export function statusPages(): readonly ShownPage[] {
  return Object.entries(VIEWS).map(([name, view]) => ({
    name: `status-${name}`,
    address: () => statusAddress(() => view),
    async expected(page) {
      expect(await page.getByRole('main').count()).toBe(1);
      expect(await page.locator('main section').count()).toBe(view.targets.length);
    },
  }));
}
