import { cpSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { AFTER, BEFORE, report, twoRuns } from './two-runs.test-support.ts';

const held = (out: string, baseline: string, limits: string) =>
  report(out, '--run', AFTER, '--baseline', baseline, '--max-regression', limits);

test('a run that is worse than its baseline by more than is allowed ends with 4, and is rendered so again', async () => {
  const out = twoRuns(1.2);
  const { status, said } = await held(out, BEFORE, 'chat.e2e_p95=10%');
  expect(said).toContain(`e2e_p95 is 2211.44, +20.0 % from 1842.87 in run ${BEFORE}, at most +10 % allowed`);
  expect(status).toBe(4);
  const page = readFileSync(join(out, AFTER, 'report.html'), 'utf8');
  rmSync(join(out, BEFORE), { recursive: true });
  expect((await report(out, '--run', AFTER)).status).toBe(4);
  expect(readFileSync(join(out, AFTER, 'report.html'), 'utf8') === page).toBe(true);
});

test('what a limit allows, and what is no worse, passes', async () => {
  expect((await held(twoRuns(1.2), BEFORE, 'chat.e2e_p95=25%')).status).toBe(0);
  expect((await held(twoRuns(1), BEFORE, 'chat.e2e_p95=0%,error_share=0%')).status).toBe(7);
  expect((await held(twoRuns(0.8), BEFORE, 'chat.e2e_p95=0%')).status).toBe(0);
});

test('what may be chance, or rests on too few calls, is inconclusive', async () => {
  const out = twoRuns(1.2);
  const chance = await held(out, BEFORE, 'responses.e2e_p50=10%');
  expect(chance).toMatchObject({ status: 7, said: expect.stringContaining('which may be chance') });
  const few = await held(out, BEFORE, 'video.e2e_p50=10%');
  expect(few).toMatchObject({
    status: 7,
    said: expect.stringMatching(
      /too few calls to hold e2e_p50 against run .*, each run needs 10 that have it/,
    ),
  });
});

test('last-good is the newest other run of the same plan that nothing stands against', async () => {
  const out = twoRuns(1.2);
  cpSync(join(out, BEFORE), join(out, '20261122T000000Z-bad0'), { recursive: true });
  const bad = join(out, '20261122T000000Z-bad0', 'result.json');
  const exits = [{ code: 5, why: 'a finding' }];
  const result = z.looseObject({}).parse(JSON.parse(readFileSync(bad, 'utf8')));
  writeFileSync(bad, JSON.stringify({ ...result, exit_codes: exits }));
  expect((await held(out, 'last-good', 'chat.e2e_p95=10%')).said).toContain(`in run ${BEFORE}`);
  rmSync(join(out, BEFORE), { recursive: true });
  const none = await held(out, 'last-good', 'chat.e2e_p95=10%');
  expect(none).toMatchObject({ status: 0, said: expect.stringContaining('There is no baseline yet.') });
  expect(existsSync(join(out, AFTER, 'baseline.json'))).toBe(false);
});

test.each([
  [['--baseline', BEFORE], '--baseline needs --max-regression.'],
  [['--max-regression', 'ttft_p95=10%'], '--max-regression needs --baseline.'],
  [['--baseline', 'nowhere', '--max-regression', 'ttft_p95=10%'], 'There is no run at'],
  [['--baseline', BEFORE, '--max-regression', 'ttft=10%'], 'found ttft'],
  [['--baseline', BEFORE, '--max-regression', 'audio.ttft_p95=10%'], 'before the dot, found audio'],
  [['--baseline', BEFORE, '--max-regression', 'ttft_p95=10'], 'expected MEASURE=N%'],
  [['--compare', BEFORE], 'two or more runs are needed, and 1 was given.'],
])('%j is refused', async (flags, words) => {
  const { status, said } = await report(twoRuns(1), ...flags);
  expect({ status, said }).toMatchObject({ status: 2, said: expect.stringContaining(words) });
});
