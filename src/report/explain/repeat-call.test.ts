import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import type { ScenarioPlan } from '../../contracts/plan.ts';
import { markerOf } from '../../core/marker.ts';
import { textRow } from '../../reconcile/rows.test-support.ts';
import { markedPrompt, planCall, utf8Length } from '../../workload/call-plan.ts';
import { planOf, scenarioOf, textOf, workloadOf } from '../../workload/plan.test-support.ts';
import { repeatCommand } from './repeat-call.ts';

function repeated(changes: Partial<ScenarioPlan> = {}, row: Partial<CallRow> = {}): string | null {
  const scenario = scenarioOf({ text: textOf({ stream_share: 0 }), ...changes });
  const plan = planOf({ workload: workloadOf({ scenarios: [scenario] }) });
  const ids = {
    scenario: scenario.name,
    logical_id: `${scenario.name}/3`,
    call_id: `i0/${scenario.name}/3/1`,
  };
  const sent = markedPrompt(planCall(plan.workload.seed, scenario, 3), markerOf(plan.nonce, ids.call_id));
  const path = '/v1/chat/completions';
  const own = { path, prompt_bytes: utf8Length(sent), max_tokens: 50, stream: false };
  return repeatCommand(plan, textRow('a', { ...ids, ...own, ...row }));
}

/** The words that a shell hands to curl, with a key in its environment. */
function wordsOf(command: string | null): readonly string[] {
  const { stdout } = spawnSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; ${command}`], {
    env: { WEIGHBRIDGE_API_KEY: 'sk-own' },
    encoding: 'utf8',
  });
  return stdout.trimEnd().split('\n');
}

test('the command sends the prompt that the call sent, and names the key as a variable', () => {
  const command = repeated();
  expect(command).toContain('$WEIGHBRIDGE_API_KEY');
  const words = wordsOf(command);
  expect(words.filter((word) => word.includes('sk-own'))).toHaveLength(1);
  const body = JSON.parse(words.at(-1) ?? '');
  expect(body).toMatchObject({ messages: [{ role: 'user' }], max_tokens: 50, stream: false });
  expect(body.messages[0].content).toContain(markerOf(planOf().nonce, 'i0/chat/3/1'));
});

test('a quote within the body ends no word of the shell', () => {
  const text = "it's; $(id) `id`";
  const body = JSON.stringify({ metadata: text });
  const command = repeated({ body }, { prompt_bytes: null });
  expect(JSON.parse(wordsOf(command).at(-1) ?? '')).toMatchObject({ metadata: text });
});

test('a body that the plan alone cannot tell is not guessed', () => {
  expect(repeated({}, { prompt_bytes: 7 })).toBeNull();
  expect(repeated({}, { scenario: 'gone', logical_id: 'gone/3' })).toBeNull();
  expect(repeated({}, { logical_id: 'chat/3.2' })).toBeNull();
});
