import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const ROOT = resolve(import.meta.dirname, '..');
const TEMPLATES = join(ROOT, 'deploy/scheduled');
const UNITS = join(TEMPLATES, 'systemd');

const template = (path: string): string => readFileSync(join(TEMPLATES, path), 'utf8');
const withoutComments = (text: string): string => text.replaceAll(/^\s*#.*$/gm, '');

/** The units in a folder of their own, with the paths of this machine in place of those of the page. */
function rendered(change: (text: string) => string = (text) => text): readonly string[] {
  const dir = mkdtempSync(join(tmpdir(), 'wb-units-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return readdirSync(UNITS).map((name) => {
    const text = readFileSync(join(UNITS, name), 'utf8')
      .replaceAll('/usr/bin/node', process.execPath)
      .replaceAll('/opt/weighbridge', ROOT);
    writeFileSync(join(dir, name), change(text));
    return join(dir, name);
  });
}

function verify(units: readonly string[]) {
  const { status, stderr, error } = spawnSync('systemd-analyze', ['verify', ...units], { encoding: 'utf8' });
  return { status, stderr, error };
}

test('systemd takes the units without a word, with the real paths in them', () => {
  const units = rendered();
  expect(units).toHaveLength(8);
  expect(verify(units)).toEqual({ status: 0, stderr: '', error: undefined });
  const elsewhere = rendered((text) => text.replaceAll(process.execPath, '/nowhere/node'));
  expect(verify(elsewhere).stderr).toContain('/nowhere/node');
  const misspelt = rendered((text) => text.replace('Restart=no', 'Restrat=no'));
  expect(verify(misspelt).stderr).toContain('Restrat');
});

/** Each line `Key=value` of a unit. */
function settings(name: string): readonly (readonly [string, string])[] {
  return [...template(`systemd/${name}`).matchAll(/^([A-Za-z]+)=(.*)$/gm)].map(
    ([, key = '', value = '']) => [key, value] as const,
  );
}

test('systemd: no unit starts again what failed, and no paid start is made up for', () => {
  for (const name of readdirSync(UNITS).filter((unit) => unit.endsWith('.service'))) {
    const all = settings(name);
    expect(all.filter(([key]) => /^Restart|^OnFailure|^Upholds|^StartLimit/.test(key))).toEqual([
      ['Restart', 'no'],
    ]);
    expect(all.filter(([key]) => key === 'ExecStart')).toHaveLength(1);
    for (const [key, value] of all) if (key.startsWith('Exec')) expect(attempts(value)).toBe(1);
    // What follows a run, whatever came of it, pays nothing.
    for (const [key, value] of all)
      if (key === 'ExecStopPost') expect(value).toMatch(/weighbridge\.mjs history /);
  }
  for (const name of ['weighbridge-audit.timer', 'weighbridge-run.timer'])
    expect(settings(name).filter(([key]) => /^On|^Persistent/.test(key))).toEqual([
      ['OnCalendar', '*-*-* 02:00:00 UTC'],
      ['Persistent', 'false'],
    ]);
});

test('the bill of a month is audited on the 3rd, by a command that pays nothing', () => {
  const unit = settings('weighbridge-month.service').find(([key]) => key === 'ExecStart')?.[1] ?? '';
  const timer = settings('weighbridge-month.timer').find(([key]) => key === 'OnCalendar')?.[1];
  expect(timer).toBe('*-*-03 03:00:00 UTC');
  const cron = /^0 3 3 \* \* .+$/m.exec(template('cron/weighbridge'))?.[0] ?? '';
  const github = template('github/weighbridge-month.yml');
  expect(github).toContain('cron: "0 3 3 * *"');
  for (const text of [unit, cron, github])
    expect(text).toContain('weighbridge.mjs reconcile --month last --out ');
});

const workflow = z.looseObject({
  concurrency: z.looseObject({ 'cancel-in-progress': z.boolean() }),
  jobs: z.record(
    z.string(),
    z.looseObject({
      if: z.string().optional(),
      steps: z.array(
        z.looseObject({
          run: z.string().optional(),
          uses: z.string().optional(),
          if: z.string().optional(),
        }),
      ),
    }),
  ),
});

test('GitHub Actions: every exit status above 0 fails the job, the report is kept, and no second attempt pays', () => {
  for (const name of ['audit', 'run', 'reconcile', 'month']) {
    const text = template(`github/weighbridge-${name}.yml`);
    const { concurrency, jobs } = workflow.parse(parse(text));
    expect(concurrency['cancel-in-progress']).toBe(false);
    expect(withoutComments(text)).not.toMatch(/retry|continue-on-error|strategy:/i);
    const job = jobs[name];
    const runs = job?.steps.flatMap(({ run }) => run ?? []) ?? [];
    expect(runs.length).toBeGreaterThan(0);
    for (const run of runs) expect(attempts(run)).toBe(1);
    if (name === 'reconcile' || name === 'month') continue;
    expect(job?.if).toBe('github.run_attempt == 1');
    expect(runs).toHaveLength(1);
    expect(job?.steps.find(({ uses }) => uses?.startsWith('actions/upload-artifact'))?.if).toBe('always()');
  }
});

test.each([
  ['weighbridge', ['audit', 'reconcile', 'history', 'history prune', 'reconcile']],
  ['weighbridge-run', ['run', 'history', 'history prune']],
])('cron: one command a line of %s, and nothing that starts it again', (name, commands) => {
  const lines = withoutComments(template(`cron/${name}`))
    .split('\n')
    .filter((line) => /^[\d*]/.test(line));
  expect(lines.map((line) => /weighbridge\.mjs (\w+(?: prune)?)/.exec(line)?.[1])).toEqual(commands);
  for (const line of lines) {
    const [, command = ''] = /^(?:\S+ ){5}weighbridge cd \/var\/lib\/weighbridge && (.+)$/.exec(line) ?? [];
    expect(attempts(command)).toBe(1);
  }
});

/** How often a shell line starts our command; a line that hides its exit status or may start it again counts as endless. */
function attempts(line: string): number {
  if (/\|\||;|&|\||\b(?:while|until|for|retry|timeout|watch)\b|`|\$\(/.test(line))
    return Number.POSITIVE_INFINITY;
  return line.match(/weighbridge\.mjs /g)?.length ?? 0;
}

test('every template says when the next audit or run is to follow, and what it is held against', () => {
  const nightly = readdirSync(TEMPLATES, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.(service|yml|yaml)$|^cron\//.test(path))
    .map((path) =>
      withoutComments(template(path))
        .replaceAll(/[[\],]/g, ' ')
        .replaceAll(/ +/g, ' '),
    )
    .filter((text) => /weighbridge\.mjs (audit|run)|args: audit/.test(text));
  expect(nightly).toHaveLength(6);
  for (const text of nightly) expect(text).toMatch(/(audit|run) --every 24h --baseline last-good /);
});
