import { expect, test } from 'vitest';
import type { TextShape } from '../src/contracts/plan.ts';
import { markerOf } from '../src/core/marker.ts';
import { TEXT_MODELS } from '../src/gateway/models/text-models.ts';
import { countPrompt } from '../src/gateway/tokens/count-tokens.ts';
import { textRow } from '../src/reconcile/rows.test-support.ts';
import { ownCounts } from '../src/reconcile/tokens/token-count-learn.ts';
import { markedPrompt, planCall } from '../src/workload/call-plan.ts';
import { scenarioOf, textOf } from '../src/workload/plan.test-support.ts';

const SHAPES: readonly (readonly [string, Partial<TextShape>])[] = [
  ['of one size', { prompt_bytes: 300 }],
  ['of the smallest size', { prompt_bytes: 20 }],
  ['of many sizes', { prompt_bytes: [60, 150, 400, 900] }],
  ['that begin alike', { prompt_bytes: [300, 600], cached_share: 0.5 }],
  ['that are padded', { prompt_bytes: 400, watermark: { modulus: 32, of: 1, first: 0 } }],
];

/** Both sides count for themselves: what the gateway's own tokenizers tell, and what the auditor makes of the plan. */
test.each(SHAPES)(
  'an honest gateway is not accused of prompts %s, whatever its models count by',
  (_, shape) => {
    const seen = { learnt: 0, silent: 0 };
    for (const model of TEXT_MODELS) {
      const scenario = scenarioOf({ model: model.id, text: textOf(shape) });
      const plan = { nonce: 'n', workload: { seed: 3, scenarios: [scenario] } };
      const rows = Array.from({ length: 60 }, (_, n) => {
        const row = textRow(`${n}`, { model: model.id, iteration: n });
        const prompt = markedPrompt(planCall(3, scenario, n), markerOf('n', row.call_id));
        const input = countPrompt(model.tokenizer, [{ role: 'user', text: prompt }]).total;
        const usage = { input, output: 1, cache_read: 0, cache_write: 0, reasoning: null, raw: {} };
        return { ...row, prompt_bytes: prompt.length, usage };
      });
      const { calls } = ownCounts(plan, rows);
      const accused = rows.filter((row) => {
        const own = calls.get(row.call_id);
        return own !== undefined && row.usage.input > own.prompt + own.template;
      });
      expect({ model: model.id, accused }).toEqual({ model: model.id, accused: [] });
      seen[calls.size === 0 ? 'silent' : 'learnt'] += 1;
      if (model.tokenizer === 'o200k_base')
        expect({ model: model.id, counted: calls.size }).toEqual({ model: model.id, counted: 60 });
    }
    expect(seen.learnt).toBeGreaterThan(5);
    expect(seen.silent).toBeGreaterThan(5);
  },
);
