import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { storeAssumed } from './assumed-file.ts';
import { readBilling } from './run-folder.ts';

test('what a flag assumed stays with the folder until a flag is given again', () => {
  const dir = mkdtempSync(join(tmpdir(), 'assumed-'));
  onTestFinished(() => rmSync(dir, { recursive: true }));
  writeFileSync(join(dir, 'config.yaml'), 'version: 1\nbilling: { readings: { amount: net } }\n');
  const amount = (): string => readBilling(dir).terms.readings.amount;
  expect(amount()).toBe('net');
  storeAssumed(dir, ['amount=gross']);
  storeAssumed(dir, []);
  expect(amount()).toBe('gross');
  storeAssumed(dir, ['input_tokens=with_cache']);
  expect(amount()).toBe('net');
});
