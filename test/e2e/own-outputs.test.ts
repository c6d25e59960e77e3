import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { loadLedger } from '../../src/ledger/load-ledger.ts';
import { readNdjson, runWeighbridge, scratchDir, verdictOf } from '../support/run-weighbridge.ts';

const CONFIG = `version: 1
target: { key: exclusive }
duration: 3s
keep_text: true
traffic:
  - { kind: chat, model: aspen-mini, rate: 30/s, max_tokens: 20, prompt_tokens: 30 }
`;

/** The answer tells 30 tokens of its 20, and so does the record: neither contradicts the other. */
const FAULTS = `faults:
  - { fault: sem.usage_mismatch, parameters: { output_tokens: 10 }, when: { nth: 40 } }
  - { fault: bill.token_mismatch, parameters: { percent: 50 }, when: { nth: 40 } }
`;

const findingLine = z.object({
  class: z.string(),
  rule: z.string(),
  direction: z.string(),
  call_id: z.string(),
});

const resultSchema = z.object({
  coverage: z.object({ settings: z.array(z.object({ name: z.string(), value: z.string() })) }),
});

const countedSchema = z.object({
  load: z.object({
    output_tokens: z.strictObject({ by: z.string(), known: z.number(), of: z.number() }),
    total: z.object({ tokens: z.object({ output: z.number() }) }),
  }),
});

test('answer and record that agree on more output than came are found by the text that was kept', async () => {
  const out = scratchDir();
  const [config, faults] = [join(out, 'w.yaml'), join(out, 'faults.yaml')];
  writeFileSync(config, CONFIG);
  writeFileSync(faults, FAULTS);
  // Fixed prompts: the fortieth answer is one that the limit cuts.
  const finished = await runWeighbridge([
    'audit',
    ...['--config', config, '--faults', faults, '--nonce', 'own', '--out', out, '--json'],
  ]);
  const verdict = verdictOf(finished);
  expect(readNdjson(join(verdict.dir, 'findings.ndjson'), findingLine)).toEqual([
    { class: 'token_mismatch', rule: 'own_count_output', direction: 'over', call_id: 'i0/chat/39/1' },
  ]);
  const { coverage } = resultSchema.parse(JSON.parse(readFileSync(verdict.result, 'utf8')));
  // Answers that end before the limit are too few to show anything.
  const counted = coverage.settings.find(({ name }) => name === 'own_output_count');
  expect(counted?.value).toMatch(/^(8\d|90) of 90 text calls$/);

  const { rows, text_files } = await loadLedger(verdict.dir);
  expect(new Set(rows.map(({ text_ref }) => text_ref))).toEqual(new Set(['i0-0.texts']));
  expect(text_files).toEqual([join(verdict.dir, 'calls/i0-0.texts')]);
  expect(text_files.map((file) => statSync(file).mode & 0o777)).toEqual([0o600]);
});

test('a tokenizer of one’s own counts the output, and the verdict names it', async () => {
  const out = scratchDir();
  const config = join(out, 'w.yaml');
  writeFileSync(config, CONFIG.replace('key: exclusive', 'tokenizer: o200k').replace('30/s', '8/s'));
  const finished = await runWeighbridge(['run', '--config', config, '--out', out, '--json']);
  const { dir, result } = verdictOf(finished);
  const { load } = countedSchema.parse(JSON.parse(readFileSync(result, 'utf8')));
  expect(load.output_tokens).toEqual({ by: 'o200k', known: 24, of: 24 });
  // This model counts by o200k, and adds a few tokens to each answer.
  const { rows } = await loadLedger(dir);
  const told = rows.reduce((sum, { usage }) => sum + (usage?.output ?? 0), 0);
  expect(load.total.tokens.output).toBeLessThanOrEqual(told);
  expect(load.total.tokens.output).toBeGreaterThan(told * 0.8);
  expect(readFileSync(join(dir, 'report.md'), 'utf8')).toContain(
    'output tokens: by o200k, of the kept texts.',
  );
});
