import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { type BillingTerms, NO_TERMS } from '../../src/contracts/billing-terms.ts';
import { loadReconcileInput } from '../../src/reconcile/input/load-reconcile-input.ts';
import { reconcile } from '../../src/reconcile/reconcile.ts';
import { corpusNames, disagreements, gradeOf, nameOf } from '../support/fault-corpus.ts';
import { readNdjson, runWeighbridge, scratchDir, verdictOf } from '../support/run-weighbridge.ts';

const journalLine = z.discriminatedUnion('type', [
  z.object({ type: z.literal('call'), request_id: z.string() }),
  z.object({
    type: z.literal('fault'),
    fault: z.string(),
    request_id: z.string(),
    parameters: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
    delta: z.string(),
  }),
]);

type Parameters = Readonly<Record<string, string | number | boolean>>;

/** Faults that hit one call together, the first of them first. */
type Planted = readonly (readonly [fault: string, parameters?: Parameters])[];

/** Seconds after the last start in which records settle, change and are read again. */
const SETTLE_S = 12;
/** A record changes so late that it was read before, and so early that it is read after. */
const LATE_MS = 9_000;

const CUT: Planted[number] = ['net.fin_mid', { after_events: 4 }];
const FAILED: Planted[number] = ['sem.task_failed_200'];

/** Each on a chat stream of its own, in the order of their starts. */
const ON_CHAT: readonly Planted[] = [
  [['bill.double_charge', { variant: 'second_record' }]],
  [['bill.duplicate_record']],
  [['bill.retry_charge']],
  [['bill.phantom_record']],
  [['bill.missing_record']],
  [['bill.wrong_key']],
  [['bill.charge_rejected', { variant: '403' }]],
  [['bill.pending_forever']],
  [['bill.pending_to_unknown', { after_ms: 500 }]],
  [['bill.reserve_leak']],
  [['bill.uncharged_success']],
  [['bill.settle_above_reserve']],
  [['bill.token_mismatch', { variant: 'output' }]],
  [['bill.token_mismatch', { variant: 'input' }]],
  [['bill.swap_in_out']],
  [['bill.estimated_high', { variant: 'completed' }]],
  [CUT],
  [CUT],
  [CUT],
  [CUT, ['bill.estimated_unflagged']],
  [CUT, ['bill.estimated_high', { variant: 'cut' }]],
  [CUT, ['bill.zero_on_abort']],
  [CUT, ['bill.incomplete_as_completed']],
  [['bill.sci_notation']],
  [['bill.number_not_string']],
  [['bill.comma']],
  [['bill.negative', { variant: 'amount' }]],
  [['bill.negative', { variant: 'input_tokens' }]],
  [['bill.wrong_model', { variant: 'name' }]],
  [['sem.empty_output', { charged: true }]],
  [['sem.empty_output', { charged: false }]],
  [['net.fin_mid', { after_events: 1 }], ['bill.charge_prompt_only_on_abort']],
  [CUT, ['bill.charge_on_abort', { variant: 'above_possible' }]],
  [CUT, ['bill.charge_on_abort', { variant: 'below_one_token' }]],
  [['bill.charge_server_error', { variant: 'whole' }]],
  [['bill.charge_server_error', { variant: 'above_possible' }]],
  [['bill.double_charge', { variant: 'double_price' }]],
  [['bill.charge_server_error', { variant: 'whole' }]],
  [['bill.charge_server_error', { variant: 'above_possible' }]],
  [CUT, ['bill.charge_on_abort', { variant: 'above_possible' }]],
  [CUT, ['bill.charge_on_abort', { variant: 'below_one_token' }]],
];

/** The same on the last ones, so that the first read sees them before their change. */
const ON_LATE_CHAT: readonly Planted[] = [
  [['bill.state_regression', { variant: 'amount', after_ms: LATE_MS }]],
  [['bill.state_regression', { variant: 'pending', after_ms: LATE_MS }]],
  [['bill.state_regression', { variant: 'gone', after_ms: LATE_MS }]],
];

/** Each on an image job of its own. */
const ON_JOBS: readonly Planted[] = [
  [FAILED, ['bill.charge_failed']],
  [FAILED, ['bill.missing_refund']],
  [FAILED, ['bill.late_refund', { after_ms: 4000 }]],
  [FAILED, ['bill.double_refund']],
  [FAILED, ['bill.partial_refund']],
  [['sem.stuck_in_progress', { for_ms: 0 }]],
  [['sem.queued_forever']],
  [['bill.pending_forever']],
  [['bill.missing_record']],
];

/** Each on an answer of a model that reasons. */
const ON_REASONING: readonly Planted[] = [
  [['bill.reasoning_double_count', { variant: 'counted_twice' }]],
  [['bill.reasoning_double_count', { variant: 'omitted' }]],
];

/** On streams whose clients send them again; the last one after calls that nothing has hit. */
const ON_RETRIED: readonly Planted[] = [
  [['bill.retry_double_charge', { variant: 'server_error' }]],
  [],
  [],
  [['bill.retry_double_charge', { variant: 'timeout' }]],
  [],
  [],
  [['bill.request_id_reuse']],
];

/**
 * Faults and variants that no test of this file plants: what only many rows together show, and what is wrong with reads,
 * pages, totals and the price book. Whoever plants one takes it out.
 */
const LEFT_OUT: readonly string[] = [
  'bill.amount_rounding',
  'bill.book_incoherent',
  'bill.cache_dropped',
  'bill.cursor_',
  'bill.filter_mismatch',
  'bill.free_model_charged',
  'bill.late_record',
  'bill.min_charge',
  'bill.missing_refund, text',
  'bill.multiplier_hidden',
  'bill.quota_drift',
  'bill.reasoning_double_count, variant charged_twice',
  // Its client is told no id, so that its record is another call's as well as its own.
  'bill.retry_double_charge, variant reset',
  'bill.service_tier_price',
  'bill.tier_not_applied',
  'bill.tool_surcharge',
  'bill.totals_drift',
  'bill.unit_error',
  'bill.video_units',
  'bill.window_edge',
  'bill.wrong_model, variant price',
  'bill.wrong_rate',
  'bill.wrong_version',
];

/** What a fault shows besides its own class. */
const BESIDES: Readonly<Record<string, readonly string[]>> = {
  // The amount is wrong by what the sign makes of it.
  'bill.negative, variant amount': ['amount_mismatch'],
  'bill.negative, variant input_tokens': ['token_mismatch'],
};

/** Deadlines of a second, so that what a run of seconds leaves open is final. */
const AT_ONCE: BillingTerms = {
  ...NO_TERMS,
  deadlines: { text_ms: 1000, task_ms: 1000, refund_ms: 1000, by_class: {} },
};

/** From the third call of an endpoint on: the first ones are trial calls. */
const FIRST_ORDINAL = 3;
const LAST_CHATS = 75;

const told = new Set<string>();

test('every fault of one call is told as what it is, by how much, and nothing else is', async () => {
  const { fired, final } = await audited(
    [
      ...planOf(ON_CHAT, '/v1/chat/completions', FIRST_ORDINAL),
      ...planOf(ON_LATE_CHAT, '/v1/chat/completions', LAST_CHATS),
      ...planOf(ON_JOBS, '/v1/images/generations/jobs', FIRST_ORDINAL),
      ...planOf(ON_REASONING, '/v1/responses', FIRST_ORDINAL),
    ],
    [
      'duration: 8s',
      'timeouts: {task: 6s}',
      'traffic:',
      '  - {kind: chat, rate: 10/s, stream: 1, prompt_tokens: 50, max_tokens: 32}',
      '  - {kind: image_job, rate: 2/s}',
      '  - {kind: responses, rate: 1/s, model: oak-think, prompt_tokens: 50, max_tokens: 64}',
      `settle: {wait: ${SETTLE_S}s, poll: 2s}`,
    ],
  );
  expect(disagreements(fired, final, BESIDES)).toEqual([]);
});

test('an attempt that failed and was charged, and a record under the id of another call', async () => {
  const { fired, final } = await audited(planOf(ON_RETRIED, '/v1/chat/completions', FIRST_ORDINAL), [
    'duration: 3s',
    'retry: {max_attempts: 2, first_wait: 200ms}',
    'traffic:',
    '  - {kind: chat, rate: 5/s, stream: 1, prompt_tokens: 50, max_tokens: 32}',
    'settle: {wait: 4s, poll: 1s}',
  ]);
  expect(fired.length).toBe(4);
  expect(disagreements(fired, final)).toEqual([]);
});

test('all billing faults fired, but those that are left out', () => {
  const leftOut = (name: string): boolean => LEFT_OUT.some((start) => name.startsWith(start));
  expect(corpusNames('bill.').filter((name) => told.has(name) === leftOut(name))).toEqual([]);
});

/** The faults that fired in an audit of the embedded gateway, and the final findings over calls and records. */
async function audited(plan: readonly object[], settings: readonly string[]) {
  const out = scratchDir();
  const faults = join(out, 'faults.yaml');
  const journal = join(out, 'journal.ndjson');
  const config = join(out, 'audit.yaml');
  writeFileSync(faults, JSON.stringify({ faults: plan }));
  writeFileSync(config, ['version: 1', ...settings, ''].join('\n'));
  const files = ['--config', config, '--faults', faults, '--journal', journal, '--out', out];
  const finished = await runWeighbridge(['audit', ...files, '--seed', '3', '--json']);
  const verdict = verdictOf(finished);
  expect({ status: finished.status, has5: verdict.exit_codes.includes(5) }).toEqual({
    status: 5,
    has5: true,
  });
  const fired = readNdjson(journal, journalLine).filter((line) => line.type === 'fault');
  for (const line of fired) told.add(nameOf(gradeOf(line)));
  const { findings } = reconcile(await loadReconcileInput(verdict.dir, { terms: AT_ONCE }));
  // What reads, totals and the account show as well has no request of its own.
  return { fired, final: findings.filter((one) => !one.provisional && one.request_id !== null) };
}

function planOf(planted: readonly Planted[], endpoint: string, first: number): readonly object[] {
  return planted.flatMap((together, index) =>
    together.map(([fault, parameters = {}]) => ({
      fault,
      select: { endpoint },
      when: { nth: first + index },
      parameters,
    })),
  );
}
