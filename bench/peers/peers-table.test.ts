import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { BESIDE } from './beside.ts';
import { type PeerResults, peerResultsSchema } from './peer-figures.ts';
import { pageWith } from './peers-table.ts';

const RESULTS = peerResultsSchema.parse(
  JSON.parse(readFileSync(new URL('results.json', import.meta.url), 'utf8')),
);
const PAGE = readFileSync(new URL('../../docs/peers.md', import.meta.url), 'utf8');

it('the tables of docs/peers.md are those of the committed results, and name what each tool has and lacks', () => {
  expect(pageWith(PAGE, RESULTS)).toBe(PAGE);
  const others = RESULTS.peers.map(({ name }) => name).filter((name) => !name.startsWith('Weighbridge'));
  expect(others.toSorted()).toEqual(Object.keys(BESIDE).toSorted());
  expect(JSON.stringify(RESULTS)).not.toMatch(/sk-|\/tmp\//);
});

it('every figure stands under version, machine, date and command; a tool that could not be had gives its reason', () => {
  const none = { p50: null, p99: null };
  const told = {
    command: 'a | b $URL',
    calls: 400,
    completed: 399,
    cpu_s_per_1000: 1.234,
    peak_mb: 18,
    other_cpu_s: 2.5,
  };
  const times = { ttft_error_ms: none, e2e_error_ms: { p50: 1.26, p99: -3 } };
  const results: PeerResults = {
    started: '2026-11-24T20:00:00.000Z',
    rounds: 3,
    machine: '2 × a core',
    load: { per_s: 20, seconds: 20, max_tokens: 50 },
    latency: '',
    peers: [
      { name: 'vegeta', version: 'v1', ...told, ...times, true_ttft_ms: none, true_e2e_ms: none },
      { name: 'Locust', missing: 'pip ended with 1' },
    ],
  };
  const page = pageWith('# a\n<!-- bench:peers -->old<!-- /bench:peers -->\nb', results);
  expect(page.split('\n').filter((line) => line !== '')).toEqual([
    '# a',
    '<!-- bench:peers -->',
    'Measured on 2026-11-24: 2 × a core. 20 streams a second for 20 s, at most 50 tokens each. Middles of 3 rounds.',
    expect.stringMatching(/^\| tool \| CPU s per 1,000 calls /),
    '| --- | --- | --- | --- | --- | --- | --- |',
    '| vegeta v1 | 1.23 | 18 | – / – | 1.3 / -3.0 | 399 of 400 | 2.5 |',
    '| Locust | not measured: pip ended with 1 | – | – | – | – | – |',
    expect.stringMatching(/^\| tool \| command/),
    '| --- | --- |',
    '| vegeta v1 | `a \\| b $URL` |',
    expect.stringMatching(/^\| tool \| has, and we lack/),
    '| --- | --- | --- |',
    expect.stringMatching(/^\| vegeta \| any HTTP request/),
    expect.stringMatching(/^\| Locust \| /),
    '<!-- /bench:peers -->',
    'b',
  ]);
});
