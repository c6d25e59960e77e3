import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { shownOn } from '../../../test/support/docs/shown-commands.ts';
import { ROOT } from '../../../test/support/run-weighbridge.ts';
import { AFTER, BEFORE, report, twoRuns } from './two-runs.test-support.ts';

test('--compare tells, as docs/compare.md shows it, by what two runs differ, for people and for programs', async () => {
  const out = twoRuns(1.2);
  const { status, said } = await report(out, '--compare', BEFORE, AFTER);
  expect(status).toBe(0);
  expect(said).toMatch(/^chat +e2e_p95 +1842\.87 +2211\.44 +\+20\.0 % +\+\d+ to \+\d+ +worse$/m);
  expect(said).toMatch(
    /^\d+ worse, 0 better, \d+ without a difference that is shown, \d+ of too few calls$/m,
  );
  const docs = readFileSync(join(ROOT, 'docs/compare.md'), 'utf8');
  const shown = /```text\n(.+?)\n```/s.exec(docs)?.[1]?.split('\n') ?? [];
  expect(shown).toHaveLength(6);
  for (const line of shown) expect(said.split('\n')).toContain(line);

  // Of the runs, and of no change of the target.
  expect(said).toContain(
    'note: these two runs differ, which does not show that the target changed: runs of one target vary by 2 to 5 %, so that it takes at least 5 runs a side',
  );

  // The same as a page beside the runs.
  const page = join(out, 'compare.html');
  expect(said.split('\n').at(-1)).toBe(page);
  const html = readFileSync(page, 'utf8');
  const [, worse = '', of = ''] =
    /These two runs differ: the later one is worse by (\d+) of (\d+) measures\./.exec(html) ?? [];
  const same = Number(of) - Number(worse);
  expect(said).toContain(`${worse} worse, 0 better, ${same} without a difference that is shown`);
  expect(html).toContain(`<h2>${AFTER} after ${BEFORE}</h2>`);

  const told = z
    .object({
      page: z.string(),
      comparisons: z.array(
        z.object({
          before: z.string(),
          after: z.string(),
          figures: z.array(z.unknown()),
          notes: z.array(z.string()),
        }),
      ),
    })
    .parse(JSON.parse((await report(out, '--compare', AFTER, BEFORE, AFTER, '--json')).said));
  expect(told.page).toBe(page);
  expect(told.comparisons.map(({ before, after }) => [before, after])).toEqual([
    [AFTER, BEFORE],
    [AFTER, AFTER],
  ]);
  expect(told.comparisons[0]?.figures.length).toBeGreaterThan(80);
  // A run differs from itself by nothing.
  expect(told.comparisons.map(({ notes }) => notes.length)).toEqual([1, 0]);
});

test('the gate of docs/compare.md ends with 4 where the run is worse than its limit, and without a word where it is not', async () => {
  const [shown = ''] = shownOn('docs/compare.md').commands.flatMap(({ command }) =>
    command.startsWith('weighbridge report --run ') ? [command] : [],
  );
  const flags = shown.split(' ').slice(2);
  expect(flags).toContain(AFTER);
  const worse = await report(twoRuns(1.2), ...flags);
  expect(worse.said).toContain(
    `exit 4: chat: e2e_p95 is 2211.44, +20.0 % from 1842.87 in run ${BEFORE}, at most +10 % allowed`,
  );
  expect(worse.status).toBe(4);
  expect(await report(twoRuns(1), ...flags)).toMatchObject({ status: 0 });
});

test('--compare says of a ledger of a newer version that its calls are not read', async () => {
  const out = twoRuns(1);
  const calls = join(out, AFTER, 'calls');
  for (const name of readdirSync(calls)) {
    const lines = readFileSync(join(calls, name), 'utf8');
    writeFileSync(join(calls, name), lines.replaceAll('"weighbridge.call/1"', '"weighbridge.call/2"'));
  }
  const { said } = await report(out, '--compare', BEFORE, AFTER);
  expect(said).toContain(
    `the ledger of ${AFTER} is not whole: lines of "weighbridge.call/2" stand in it, which this version does not read`,
  );
});
