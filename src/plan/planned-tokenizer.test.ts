import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { loadConfig } from '../config/load-config.ts';
import { plannedTokenizer } from './planned-tokenizer.ts';

const dir = mkdtempSync(join(tmpdir(), 'wb-tokenizer-'));
afterAll(() => rmSync(dir, { recursive: true }));
const small = readFileSync(new URL('../../test/corpus/tokenizer/tokenizer.json', import.meta.url));
writeFileSync(join(dir, 'small.json'), small);
writeFileSync(join(dir, 'other.json'), '{"model":{}}');

function planned(tokenizer: string | null) {
  const file = join(dir, 'w.yaml');
  writeFileSync(
    file,
    `version: 1\nkeep_text: true\n${tokenizer === null ? '' : `target: { tokenizer: ${tokenizer} }\n`}`,
  );
  return plannedTokenizer(loadConfig({ file, env: {}, flags: {} }));
}

it('names a file by its absolute path and its hash', () => {
  const sha256 = createHash('sha256').update(small).digest('hex');
  expect(planned('small.json')).toEqual({ tokenizer: { file: join(dir, 'small.json'), sha256 } });
  expect(planned('o200k')).toEqual({ tokenizer: 'o200k' });
  expect(planned('server')).toEqual({ tokenizer: 'server' });
  expect(planned(null)).toEqual({});
});

it.each([
  ['gone.json', 'the path of a tokenizer.json that can be read'],
  ['other.json', 'must be a tokenizer.json that can be read: Tokenizer must contain'],
])('refuses %s before anything is sent', (name, rule) => {
  expect(() => planned(name)).toThrow(rule);
  expect(() => planned(name)).toThrow(/w\.yaml:3:22 target\.tokenizer/);
});
