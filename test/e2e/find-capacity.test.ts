import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { resultSchema } from '../../src/contracts/result.ts';
import { shownOn } from '../support/docs/shown-commands.ts';
import { runWeighbridge, scratchDir, verdictOf } from '../support/run-weighbridge.ts';

const CONFIG = `version: 1
traffic:
  - {name: chat, kind: chat, rate: 10/s, max_tokens: 8}
objectives:
  - {scenario: chat, measure: error_share, max: 0}
`;

/** How far it comes depends on the machine; that each step is a run of its own, and the whole one report, does not. */
test('a search for the capacity drives steps of rising rate into one report', async () => {
  const out = scratchDir();
  const file = join(out, 'own.yaml');
  writeFileSync(file, CONFIG);
  // As the page shows it, from the planned rates on, in fewer and shorter steps.
  const [shown = ''] = shownOn('docs/capacity.md').commands.flatMap(({ command, block }) =>
    block && command.includes('--config') ? [command] : [],
  );
  const here: Readonly<Record<string, string>> = { 'capacity.yaml': file, '0.5': '1', '4s': '2s', '6': '2' };
  const args = shown
    .split(' ')
    .slice(1)
    .map((word) => here[word] ?? word);
  expect(args.slice(0, 4)).toEqual(['audit', '--config', file, '--find-capacity']);
  const { dir, result, exit_codes } = verdictOf(await runWeighbridge([...args, '--out', out, '--json']));
  const { load, money, capacity } = resultSchema.parse(JSON.parse(readFileSync(result, 'utf8')));
  const steps = capacity?.steps ?? [];
  expect(steps.map(({ instance, rate_scale, asked_rate }) => [instance, rate_scale, asked_rate])).toEqual(
    [
      ['step1', 1, 10],
      ['step2', 2, 20],
    ].slice(0, steps.length),
  );
  expect(readdirSync(join(dir, 'calls')).sort()).toEqual(steps.map(({ instance }) => `${instance}-0.ndjson`));
  // The bill is of all steps, the load of one.
  expect(money?.records).toBe(steps.length === 2 ? 60 : 20);
  expect([20, 40]).toContain(load?.total.ok);
  expect(exit_codes).toEqual([]);
});

test('a search that no rate could miss is refused before anything is sent', async () => {
  const out = scratchDir();
  const file = join(out, 'own.yaml');
  writeFileSync(file, CONFIG.slice(0, CONFIG.indexOf('objectives:')));
  const { status, stdout } = await runWeighbridge([
    'run',
    '--find-capacity',
    '--config',
    file,
    '--out',
    out,
    '--json',
  ]);
  expect([status, stdout]).toEqual([2, expect.stringContaining('capacity_needs_objectives')]);
  expect(readdirSync(out)).toEqual(['own.yaml']);
});

test('a step that plans too few calls to decide its objective is refused before anything is sent', async () => {
  const out = scratchDir();
  const file = join(out, 'own.yaml');
  writeFileSync(
    file,
    CONFIG.replace('measure: error_share, max: 0', 'measure: e2e_ms, percentile: 99, max: 900'),
  );
  const args = ['audit', '--find-capacity', '--step', '20s', '--config', file, '--out', out, '--json'];
  const { status, stdout, stderr } = await runWeighbridge(args);
  expect([status, stdout]).toEqual([2, expect.stringContaining('capacity_too_few_calls')]);
  expect(stderr).toContain('chat plans 200 calls for e2e_ms p99 and needs 299');
  expect(stderr).toContain('Give --step 30s, or give --from 1.5. Nothing was charged.');
  expect(readdirSync(out)).toEqual(['own.yaml']);
});
