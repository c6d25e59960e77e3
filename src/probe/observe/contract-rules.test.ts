import { expect, test } from 'vitest';
import { CONTRACT_RULES } from '../../contracts/metrics/label-values.ts';
import { NO_RUN_FACTS } from '../runs/run-outcome.ts';
import { contractRules, TOLD_RULES } from './observe-run.ts';

test('the catalogue names the rules that can be told, and no other', () => {
  expect([...TOLD_RULES].sort()).toEqual([...CONTRACT_RULES].sort());
});

test('an answer, a refusal and a document break each their own rule, once', () => {
  const told = (
    api: 'chat' | 'models' | 'negative',
    error: 'none' | 'schema_mismatch' | 'http_5xx',
    more = {},
  ) => [...contractRules({ api }, { error_type: error }, { ...NO_RUN_FACTS, ...more })];
  expect(told('chat', 'none', { broken_rules: ['image_form', 'empty_content', 'content_type'] })).toEqual([
    'response_shape',
    'content_type',
  ]);
  expect(told('negative', 'none', { refusal: 'early_result' })).toEqual(['early_result_status']);
  expect(told('models', 'schema_mismatch')).toEqual(['list_shape']);
  expect(told('models', 'http_5xx')).toEqual([]);
  expect(told('chat', 'schema_mismatch')).toEqual([]);
});
