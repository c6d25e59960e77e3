import { describe, expect, it, test } from 'vitest';
import { PROBE_APIS } from '../../contracts/probe-plan.ts';
import { probeViewOf, runOf, targetOf, VIEW_NOW, viewOf } from '../view/daemon-view.test-support.ts';
import type { ProbeRun } from '../view/probe-run.ts';
import { type ServerInTest, serverOf } from './probe-server.test-support.ts';

const MODELS = '/probe?target=main&probe=models';
const CHAT = '/probe?target=main&probe=chat-aspen-mini';

/** One target with a probe of each name; what runs now takes 200 ms of the view's clock and ends as told. */
async function setUp(end: ProbeRun | null): Promise<ServerInTest & { asked: string[] }> {
  const asked: string[] = [];
  let now_ms = VIEW_NOW;
  const runs = { models: [runOf({ probe: 'models', ended_ms: VIEW_NOW - 5_000 })] };
  const view = () =>
    viewOf({
      now_ms,
      targets: [
        targetOf({
          probes: [
            probeViewOf({}),
            probeViewOf({ name: 'models', api: 'models', model: null, runs: runs.models }),
          ],
        }),
      ],
    });
  const runNow = async (target: string, probe: string) => {
    asked.push(`${target}/${probe}`);
    now_ms += 200;
    if (end !== null) runs.models.push(end);
  };
  return { ...(await serverOf({ view, runNow })), asked };
}

describe('/probe', () => {
  it('runs a free probe now', async () => {
    const failed = runOf({
      probe: 'models',
      ended_ms: VIEW_NOW + 150,
      duration_ms: 150,
      error_type: 'timeout_headers',
      blame: 'gateway',
    });
    const { ask, asked } = await setUp(failed);
    const { status, headers, text } = await ask(MODELS);
    expect([status, headers['content-type']]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
    expect(asked).toEqual(['main/models']);
    expect(text.split('\n').filter((line) => !line.startsWith('#'))).toEqual([
      'probe_success 0',
      'probe_duration_seconds 0.15',
      `probe_run_timestamp_seconds ${(VIEW_NOW + 150) / 1000}`,
      'probe_run_age_seconds 0.05',
      'probe_run_fresh 1',
      'probe_failure_info{error_type="timeout_headers",blame="gateway"} 1',
      '',
    ]);
    expect(text).toContain('# TYPE probe_failure_info gauge\n');
  });

  it('answers from the last run with its age where a paid probe is asked for', async () => {
    const { ask, asked } = await setUp(null);
    const { text } = await ask(CHAT);
    expect(asked).toEqual([]);
    expect(text).toMatch(/^probe_success 1$/m);
    expect(text).toMatch(/^probe_run_age_seconds 20$/m);
    expect(text).toMatch(/^probe_run_fresh 0$/m);
  });

  it('says that the run is an old one where none could be made now', async () => {
    const { ask } = await setUp(null);
    const { text } = await ask(MODELS);
    expect(text).toMatch(/^probe_run_fresh 0$/m);
    expect(text).toMatch(/^probe_run_age_seconds 5.2$/m);
  });

  test.each(PROBE_APIS)('asks for a run of %s only if it is free and no negative one', async (api) => {
    let runs = 0;
    const { ask } = await serverOf({
      view: () => viewOf({ targets: [targetOf({ probes: [probeViewOf({ api })] })] }),
      runNow: async () => {
        runs += 1;
      },
    });
    await ask(CHAT);
    expect(runs).toBe(['models', 'pricebook', 'usage', 'usage_requests', 'account'].includes(api) ? 1 : 0);
  });

  test.each([
    ['/probe', 400, 'target is missing; known targets: main'],
    ['/probe?target=main', 400, 'probe is missing; known probes of main: chat-aspen-mini, models'],
    ['/probe?target=mian&probe=models', 404, 'unknown target; known targets: main'],
    ['/probe?target=main&probe=chat', 404, 'unknown probe; known probes of main: chat-aspen-mini, models'],
  ])('%s: %i %s', async (path, status, words) => {
    const { ask } = await setUp(null);
    const answer = await ask(path);
    expect([answer.status, answer.text]).toEqual([status, `${words}\n`]);
  });

  it('has no answer before the first run, and says why it is paused', async () => {
    const view = () =>
      viewOf({ targets: [targetOf({ probes: [probeViewOf({ runs: [], held: 'budget' })] })] });
    const { ask } = await serverOf({ view });
    expect(await ask(CHAT)).toMatchObject({
      status: 503,
      text: 'probe chat-aspen-mini of main has not run yet; it is paused: budget\n',
    });
  });

  it('takes no HEAD, which would run a probe for nothing', async () => {
    const { ask, asked } = await setUp(null);
    expect((await ask(MODELS, { method: 'HEAD' })).status).toBe(405);
    expect(asked).toEqual([]);
  });
});
