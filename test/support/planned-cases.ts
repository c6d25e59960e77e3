import { createHash } from 'node:crypto';
import type { ScenarioPlan, SizeTable } from '../../src/contracts/plan.ts';
import { callIdOf, logicalIdOf } from '../../src/core/call-id.ts';
import { markerOf } from '../../src/core/marker.ts';
import { type CallSources, markedPrompt, planCall } from '../../src/workload/call-plan.ts';
import { arrivalOf, scenarioOf, textOf } from '../../src/workload/plan.test-support.ts';

const INSTANCE = 'i0';
const NUMBERS = [0, 1, 2, 3, 4, 7, 50, 99, 100, 101, 4_095, 1_000_000];

/** One scenario with the calls that it plans. */
interface PlannedCase {
  readonly name: string;
  readonly seed: number;
  readonly nonce: string;
  readonly instance: string;
  readonly scenario: ScenarioPlan;
  /** The texts of the file that the scenario names. */
  readonly prompts: readonly string[] | null;
  readonly calls: readonly object[];
}

interface CaseShape {
  readonly scenario: ScenarioPlan;
  readonly seed?: number;
  readonly nonce?: string;
  readonly prompts?: readonly string[];
  /** Of a trace, from start 0 on. */
  readonly starts?: readonly NonNullable<CallSources['start']>[];
}

/** Whole numbers that grow without a pattern. */
function tableOf(length: number, least: number): SizeTable {
  return Array.from({ length }, (_, index) => least + index * 7 + ((index * index) % 11));
}

const PROMPTS = [
  'One line without an end',
  'Zwei Wörter, größer – and “quoted” text with \t a tab',
  'x',
  'A\nB C\\D "E" <f> & \u2028 g',
  '数字と言葉 mixed 文 with 空白',
  'emoji 🙂🙂 and more 🙂 text here to cut',
  'the last one of an odd number of prompts',
];

const file = {
  path: '/prompts.ndjson',
  sha256: '',
  count: PROMPTS.length,
  max_bytes: 60,
  order: 'in_turn',
} as const;

const image = { size: '1024x1024', quality: 'low', response_format: 'url', multipart_share: 0.3 } as const;

const SHAPES: Readonly<Record<string, CaseShape>> = {
  'plain chat': { scenario: scenarioOf() },
  'another seed': { scenario: scenarioOf(), seed: 123_456_789 },
  'the largest seed': { scenario: scenarioOf(), seed: Number.MAX_SAFE_INTEGER },
  'another scenario': { scenario: scenarioOf({ name: 'Chat_2-b' }), nonce: 'n-42' },
  'a nonce beyond ASCII': { scenario: scenarioOf(), nonce: 'größe 🙂' },
  'the smallest prompt': { scenario: scenarioOf({ text: textOf({ prompt_bytes: 20, stream_share: 0 }) }) },
  'a prompt below the smallest': { scenario: scenarioOf({ text: textOf({ prompt_bytes: 3 }) }) },
  'a prompt that is drawn whole': { scenario: scenarioOf({ text: textOf({ prompt_bytes: 16_384 }) }) },
  'a prompt that repeats itself': { scenario: scenarioOf({ text: textOf({ prompt_bytes: 70_001 }) }) },
  'messages in four mixes': {
    scenario: scenarioOf({ kind: 'messages', text: textOf({ stream_share: 0.57 }) }),
  },
  'responses that all stream': {
    scenario: scenarioOf({ kind: 'responses', text: textOf({ stream_share: 1 }) }),
  },
  'sizes from tables': {
    scenario: scenarioOf({ text: textOf({ prompt_bytes: tableOf(256, 40), max_tokens: tableOf(64, 1) }) }),
  },
  'tables of every small length': {
    scenario: scenarioOf({ text: textOf({ prompt_bytes: tableOf(2, 90), max_tokens: tableOf(3, 5) }) }),
  },
  'the largest table': {
    scenario: scenarioOf({ text: textOf({ prompt_bytes: tableOf(1_024, 30) }) }),
    seed: 0,
  },
  'a part that a cache can match': { scenario: scenarioOf({ text: textOf({ cached_share: 0.8 }) }) },
  'all but the marker cached': { scenario: scenarioOf({ text: textOf({ cached_share: 1 }) }) },
  'a cached part that repeats itself': {
    scenario: scenarioOf({
      text: textOf({ cached_share: 0.9, prompt_bytes: [100, 16_500, 18_300, 40_000] }),
    }),
  },
  'a cached part too short to be one': {
    scenario: scenarioOf({ text: textOf({ cached_share: 0.05, prompt_bytes: [24, 40, 60] }) }),
  },
  watermarks: {
    scenario: scenarioOf({
      text: textOf({ watermark: { modulus: 100, of: 3, first: 2 }, prompt_bytes: 500 }),
    }),
  },
  'watermarks beyond the prompt': {
    scenario: scenarioOf({ text: textOf({ watermark: { modulus: 61, of: 1, first: 0 }, prompt_bytes: 60 }) }),
  },
  'watermarks of two': {
    scenario: scenarioOf({ text: textOf({ watermark: { modulus: 2, of: 1, first: 1 }, cached_share: 0.5 }) }),
  },
  'prompts in turn': { scenario: scenarioOf({ text: textOf({ prompts: file }) }), prompts: PROMPTS },
  'prompts in random order, watermarked': {
    scenario: scenarioOf({
      text: textOf({
        prompts: { ...file, order: 'random' },
        cached_share: 0.5,
        watermark: { modulus: 16, of: 2, first: 1 },
      }),
    }),
    prompts: PROMPTS,
  },
  'prompts that a cache can match': {
    scenario: scenarioOf({ text: textOf({ prompts: file, cached_share: 1 }) }),
    prompts: PROMPTS,
  },
  sessions: {
    scenario: scenarioOf({
      text: textOf({
        session: { turns: [1, 2, 3, 5], think_ms: [0, 100, 2_500] },
        prompt_bytes: tableOf(7, 60),
      }),
    }),
  },
  'sessions cut on purpose': {
    scenario: scenarioOf({
      kind: 'messages',
      text: textOf({
        session: { turns: 3, think_ms: 10 },
        cached_share: 0.4,
        watermark: { modulus: 9, of: 1, first: 0 },
      }),
      abort: { share: 0.5, after_ms: 300, after_events: null },
    }),
  },
  'sessions of a file': {
    scenario: scenarioOf({ text: textOf({ session: { turns: 2, think_ms: 0 }, prompts: file }) }),
    prompts: PROMPTS,
  },
  'calls cut on purpose': {
    scenario: scenarioOf({
      kind: 'messages',
      text: textOf({ stream_share: 0.5 }),
      abort: { share: 0.25, after_ms: 500, after_events: 3 },
    }),
  },
  'a trace': {
    scenario: scenarioOf({
      kind: 'messages',
      arrival: arrivalOf({ trace: { file: 'trace.ndjson', sha256: '', calls: 4 } }),
      text: textOf({ cached_share: 0.5, prompt_bytes: tableOf(5, 50) }),
    }),
    starts: [
      { prompt_bytes: 1_000, max_tokens: 7, stream: true },
      { prompt_bytes: 1, max_tokens: null, stream: false },
      { prompt_bytes: null, max_tokens: 9, stream: null },
      { prompt_bytes: null, max_tokens: null, stream: null },
    ],
  },
  'a trace of shared blocks': {
    scenario: scenarioOf({
      arrival: arrivalOf({ trace: { file: 'trace.ndjson', sha256: '', calls: 6 } }),
      text: textOf({ watermark: { modulus: 9, of: 1, first: 0 } }),
    }),
    starts: [
      { prompt_bytes: 6_000, max_tokens: 7, stream: true, hash_ids: [46, 47, 48] },
      { prompt_bytes: 6_000, max_tokens: 7, stream: false, hash_ids: [46, 47, 9_007_199_254_740_991] },
      { prompt_bytes: 6_000, max_tokens: 7, stream: null, hash_ids: [46, 47] },
      { prompt_bytes: 2_560, max_tokens: null, stream: null, hash_ids: [0] },
      { prompt_bytes: 22, max_tokens: null, stream: null, hash_ids: [46] },
      { prompt_bytes: 20, max_tokens: null, stream: null, hash_ids: [] },
    ],
  },
  'completions of a prompt': {
    scenario: scenarioOf({ name: 'completion', kind: 'completion', text: textOf({ stream_share: 0.5 }) }),
  },
  'embeddings, which write nothing and never stream': {
    scenario: scenarioOf({
      name: 'embedding',
      kind: 'embedding',
      arrival: arrivalOf({ trace: { file: 'trace.ndjson', sha256: '', calls: 2 } }),
      text: textOf({ stream_share: 0, max_tokens: 0 }),
    }),
    starts: [
      { prompt_bytes: 300, max_tokens: 7, stream: true },
      { prompt_bytes: null, max_tokens: null, stream: null },
    ],
  },
  'image edits': { scenario: scenarioOf({ name: 'edits', kind: 'image_edit', text: null, image }) },
  'image jobs': { scenario: scenarioOf({ name: 'jobs', kind: 'image_job', text: null, image }) },
  videos: {
    scenario: scenarioOf({ kind: 'video', text: null, video: { seconds: 4, size: '1280x720' } }),
  },
};

/** The golden corpus of planned calls, as the specification in call-plan.ts gives them. */
export function plannedCases(): PlannedCase[] {
  return Object.entries(SHAPES).map(([name, shape]) => {
    const { scenario, seed = 7, nonce = 'nonce', prompts = null } = shape;
    const at = { name, seed, nonce, instance: INSTANCE, scenario, prompts };
    return { ...at, calls: numbersOf(shape).flatMap((n) => sessionOf(at, shape, n)) };
  });
}

/** Long prompts are few. */
function numbersOf({ scenario, starts }: CaseShape): readonly number[] {
  if (starts !== undefined) return starts.map((_, n) => n);
  const bytes = scenario.text?.prompt_bytes ?? 0;
  return typeof bytes === 'number' && bytes > 10_000 ? [0, 1, 2] : NUMBERS;
}

/** All turns of call n; one outside a session. */
function sessionOf(at: Omit<PlannedCase, 'calls'>, { starts, prompts }: CaseShape, n: number): object[] {
  const calls: object[] = [];
  for (let turn = 1; turn === 1 || turn <= planCall(at.seed, at.scenario, n, sources(1)).turns; turn += 1) {
    const {
      lead,
      rest,
      image: _,
      video: __,
      kind: ___,
      model: ____,
      ...call
    } = planCall(at.seed, at.scenario, n, sources(turn));
    const named = { scenario: at.scenario.name, n, turn: call.turn };
    const call_id = callIdOf(at.instance, named, 1);
    const marker = markerOf(at.nonce, call_id);
    const prompt = markedPrompt({ lead, rest }, marker);
    calls.push({
      n,
      start: starts?.[n] ?? null,
      call_id,
      logical_id: logicalIdOf(named),
      marker,
      ...call,
      turn,
      in_session: call.turn !== null,
      prompt_bytes: Buffer.byteLength(prompt),
      prompt_sha256: createHash('sha256').update(prompt).digest('hex'),
      prompt_begins: [...prompt].slice(0, 60).join(''),
    });
  }
  return calls;

  function sources(turn: number): CallSources {
    const start = starts?.[n];
    return {
      turn,
      ...(prompts === undefined ? {} : { prompts }),
      ...(start === undefined ? {} : { start }),
    };
  }
}
