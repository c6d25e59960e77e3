import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { ROOT } from './support/run-weighbridge.ts';

const step = z.looseObject({
  uses: z.string().optional(),
  run: z.string().optional(),
  env: z.record(z.string(), z.string()).optional(),
});
const action = z.object({
  inputs: z.record(z.string(), z.object({ description: z.string(), default: z.string() })),
  runs: z.object({ using: z.literal('composite'), steps: z.array(step) }),
});

const { inputs, runs } = action.parse(parse(readFileSync(join(ROOT, 'action.yml'), 'utf8')));

const FILES = ['action.yml', ...globSync('{.github/workflows,deploy/scheduled/github}/*.yml', { cwd: ROOT })];
const used = FILES.flatMap((file) =>
  [...readFileSync(join(ROOT, file), 'utf8').matchAll(/uses: *([^\n]+)/g)].map(([, what = '']) => ({
    file,
    what,
  })),
);

test('every action of others is pinned by the digest of its commit, beside its version, and by one digest everywhere', () => {
  expect(used.length).toBeGreaterThan(8);
  const pinned = /^([\w.-]+\/[\w./-]+)@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
  expect(used.filter(({ what }) => !pinned.test(what))).toEqual([]);
  const names = new Set(used.map(({ what }) => pinned.exec(what)?.[1]));
  expect(new Set(used.map(({ what }) => what)).size).toBe(names.size);
});

test('every input reaches the command by the environment, where no shell reads it, and none is a credential', () => {
  const weigh = runs.steps.find(({ run }) => run?.includes('github-action.ts'));
  const passed = Object.entries(weigh?.env ?? {});
  for (const [name, value] of passed) {
    const input = /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(value)?.[1] ?? '';
    expect(name).toBe(`INPUT_${input.toUpperCase().replaceAll('-', '_')}`);
  }
  const read = passed.map(([, value]) => value.slice('${{ inputs.'.length, -' }}'.length));
  expect(read.toSorted()).toEqual(
    Object.keys(inputs)
      .filter((name) => name !== 'artifact')
      .toSorted(),
  );
  for (const { run } of runs.steps) expect(run ?? '').not.toContain('${{');
  expect(Object.keys(inputs).filter((name) => /key|token|secret/.test(name))).toEqual([]);
});

test('docs/github-action.md names the inputs that there are, in its table and in its example', () => {
  const page = readFileSync(join(ROOT, 'docs/github-action.md'), 'utf8');
  const rows = [...page.matchAll(/^\| ((?:`[a-z-]+`(?:, )?)+) \|/gm)].flatMap(([, cell = '']) =>
    cell.match(/[a-z-]+/g),
  );
  expect(rows.toSorted()).toEqual(Object.keys(inputs).toSorted());
  const [, example = ''] = /```yaml\n(.+?)```/s.exec(page) ?? [];
  const [shown] = z
    .array(z.object({ env: z.object({}), with: z.record(z.string(), z.string()) }))
    .parse(parse(example));
  for (const name of Object.keys(shown?.with ?? {})) expect(Object.keys(inputs)).toContain(name);
});
