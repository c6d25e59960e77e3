import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPlan } from '../../src/app/folder/run-folder.ts';
import type { CallRow } from '../../src/contracts/ledger-lines.ts';
import { loadLedger } from '../../src/ledger/load-ledger.ts';
import { runWeighbridge, scratchDir, verdictOf } from '../support/run-weighbridge.ts';

const SHAPES = `duration: 6s
warm_up: 1s
traffic:
  - kind: chat
    name: random
    rate: 4/s
    arrival: poisson
    stream: 1
    prompt_tokens: { distribution: lognormal, mean: 100, stddev: 50 }
    max_tokens: { distribution: uniform, min: 5, max: 24 }
    watermark: 64
  - { kind: chat, name: loop, concurrency: 3, max_calls: 12, max_tokens: 8 }
  - { kind: messages, name: talk, rate: 1/s, max_tokens: 8, session: { turns: 3, think: 50ms } }
  - { kind: responses, name: cut, rate: 2/s, stream: 1, max_tokens: 200, abort: { share: 0.5, after_events: 4 } }
  - { kind: chat, name: own, rate: 1/s, max_tokens: 8, prompts: { file: prompts.txt } }
`;
const PROMPTS = ['Which rivers cross the plain?', 'How is a bell cast?'];

interface Ran {
  readonly dir: string;
  readonly status: number | null;
  of(scenario: string): CallRow[];
}

async function run(yaml: string, files: Readonly<Record<string, string>>): Promise<Ran> {
  const out = scratchDir();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(out, name), text);
  const config = join(out, 'weighbridge.yaml');
  writeFileSync(config, `version: 1\nseed: 3\n${yaml}`);
  const finished = await runWeighbridge(['run', '--config', config, '--out', out, '--json']);
  const { dir } = verdictOf(finished);
  const { rows } = await loadLedger(dir);
  return { dir, status: finished.status, of: (scenario) => rows.filter((row) => row.scenario === scenario) };
}

test.each([1, 20])(
  'every shape of load is driven as planned, %i calls in a virtual user',
  async (callsPerVu) => {
    const { status, of } = await run(`calls_per_vu: ${callsPerVu}\n${SHAPES}`, {
      'prompts.txt': PROMPTS.join('\n'),
    });
    expect(status).toBe(0);

    const random = of('random');
    expect(random).toHaveLength(24);
    expect(new Set(random.map(({ watermark }) => watermark)).size).toBe(24);
    expect(new Set(random.map(({ prompt_bytes }) => prompt_bytes)).size).toBeGreaterThan(15);
    // Twenty sizes, each once, and four of them again.
    expect(new Set(random.map(({ max_tokens }) => max_tokens)).size).toBe(20);
    const planned = random.map(({ planned_at }) => Date.parse(planned_at ?? '')).sort((a, b) => a - b);
    const gaps = planned.slice(1).map((at, index) => at - (planned[index] ?? 0));
    expect(Math.max(...gaps) - Math.min(...gaps)).toBeGreaterThan(200);

    const loop = of('loop');
    expect(loop).toHaveLength(12);
    expect(mostAtOnce(loop)).toBe(3);

    const talk = of('talk');
    expect(talk.map(({ logical_id }) => logical_id).sort()).toEqual(
      [0, 1, 2, 3, 4, 5].flatMap((n) => [1, 2, 3].map((turn) => `talk/${n}.${turn}`)),
    );
    for (let n = 0; n < 6; n += 1) {
      const turns = [1, 2, 3].map((turn) =>
        talk.find(({ logical_id }) => logical_id === `talk/${n}.${turn}`),
      );
      const sizes = turns.map((row) => row?.prompt_bytes ?? 0);
      expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
      expect(turns.map((row) => (row?.planned_at ?? null) === null)).toEqual([false, true, true]);
    }

    const cut = of('cut');
    expect(cut).toHaveLength(12);
    const aborted = cut.filter(({ outcome }) => outcome === 'aborted');
    expect(aborted.length).toBeGreaterThan(0);
    expect(aborted.length).toBeLessThan(12);
    // A client that was held up reads several events at once, so a single row may show more than the few that half of them show.
    const seen = aborted.map(({ events }) => events ?? 0).toSorted((a, b) => a - b);
    expect(seen[0]).toBeGreaterThanOrEqual(4);
    expect(seen[Math.floor((seen.length - 1) / 2)]).toBeLessThanOrEqual(6);

    const sizes = PROMPTS.map((text) => text.length + 19);
    expect(
      of('own')
        .map(({ prompt_bytes }) => prompt_bytes)
        .sort(),
    ).toEqual([0, 1, 0, 1, 0, 1].map((index) => sizes[index]).sort());
    const phases = [...random, ...loop, ...cut].map(({ phase }) => phase);
    expect(new Set(phases)).toEqual(new Set(['warm_up', 'measured']));
  },
);

test('a trace is replayed start by start, with its sizes and its pace', async () => {
  const trace = `at_s,kind,prompt_tokens,max_tokens,stream
0,chat,100,7,true
1,messages,300,9,false
2.5,chat,50,11,true
6,chat,,,
`;
  const { status, dir, of } = await run('trace: { file: day.csv, speed: 2, max_tokens: 5 }', {
    'day.csv': trace,
  });
  expect(status).toBe(0);
  const { workload } = readPlan(dir);
  expect(workload.duration_ms).toBe(4_000);
  expect(of('messages')).toMatchObject([
    { prompt_bytes: 1_500, max_tokens: 9, stream: false, outcome: 'ok' },
  ]);
  const chat = of('chat').toSorted((a, b) => (a.iteration ?? 0) - (b.iteration ?? 0));
  expect(chat).toMatchObject([
    { prompt_bytes: 500, max_tokens: 7, stream: true },
    { prompt_bytes: 250, max_tokens: 11, stream: true },
    { prompt_bytes: 1_000, max_tokens: 5 },
  ]);
  const [first = 0, ...later] = chat.map(({ planned_at }) => Date.parse(planned_at ?? ''));
  expect(later.map((at) => at - first)).toEqual([1_250, 3_000]);
});

/** Calls under way together. A call that starts within 5 ms of another's end has followed it: rows round to the millisecond. */
function mostAtOnce(rows: readonly CallRow[]): number {
  const changes = rows.flatMap(({ started_at, end_ms }) => {
    const start = Date.parse(started_at);
    return [
      { at: start, by: 1 },
      { at: start + end_ms - 5, by: -1 },
    ];
  });
  changes.sort((left, right) => left.at - right.at || left.by - right.by);
  let now = 0;
  return changes.reduce((most, { by }) => {
    now += by;
    return Math.max(most, now);
  }, 0);
}
