import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const JUDGING = join(import.meta.dirname, '..');

test('no step after a finding demands a sum: a letter does, and only where the terms are told', () => {
  const files = readdirSync(JUDGING, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !name.includes('test'),
  );
  expect(files.length).toBeGreaterThan(100);
  const demands = files.flatMap((name) =>
    readFileSync(join(JUDGING, name), 'utf8')
      .split('\n')
      .filter((line) => /["'`].*\b[Cc]laim (it|the|them|what)\b/.test(line))
      .map((line) => `${name}: ${line.trim()}`),
  );
  expect(demands).toEqual([]);
});
