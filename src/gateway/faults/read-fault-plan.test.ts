import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { WeighbridgeError } from '../../contracts/failure.ts';
import { FAULT_CLASSES } from '../../contracts/fault-class.ts';
import { FAULTS } from './fault-registry.ts';
import { faultPlanJsonSchema, readFaultPlan } from './read-fault-plan.ts';

const PLAN = `faults:
  - fault: bill.double_charge
    when: { probability: 0.01 }
  - fault: net.eof_clean
    select: { kind: chat }
    when: { nth: 2 }
    parameters: { after_events: 5 }
`;

function refusal(text: string): string {
  try {
    readFaultPlan({ text, file: 'plan.yaml' });
  } catch (error) {
    if (error instanceof WeighbridgeError && error.exitCode === 2) return error.message;
    throw error;
  }
  throw new Error('the plan was accepted');
}

test('reads YAML and the same plan as JSON', () => {
  const plan = readFaultPlan({ text: PLAN, file: 'plan.yaml' });
  expect(plan.faults).toEqual([
    {
      fault: 'bill.double_charge',
      when: { probability: 0.01 },
      parameters: { variant: 'second_record' },
    },
    { fault: 'net.eof_clean', select: { kind: 'chat' }, when: { nth: 2 }, parameters: { after_events: 5 } },
  ]);
  expect(readFaultPlan({ text: JSON.stringify(plan), file: 'plan.json' })).toEqual(plan);
});

describe('refuses, with the place and what was meant', () => {
  test.each([
    [
      'an unknown fault',
      'double_charge',
      'doubel_charge',
      'plan.yaml:2:12',
      'did you mean "bill.double_charge"?',
    ],
    ['an unknown key', 'kind', 'knd', 'plan.yaml:5:15', 'did you mean "kind"?'],
    ['an unknown kind', 'chat', 'chta', 'plan.yaml:5:21', 'did you mean "chat"?'],
    ['a probability above 1', '0.01', '1.01', 'plan.yaml:3:26', 'at most 1'],
    ['an ordinal below 1', 'nth: 2', 'nth: 0', 'plan.yaml:6:18', 'at least 1'],
    [
      'both triggers',
      'nth: 2',
      'nth: 2, probability: 1',
      'plan.yaml:6:11',
      'exactly one of probability, nth',
    ],
    ['no trigger', '{ nth: 2 }', '{}', 'plan.yaml:6:11', 'exactly one of probability, nth, first, every'],
    ['every 0', 'nth: 2', 'every: 0', 'plan.yaml:6:20', 'at least 1'],
    [
      'an unknown place',
      '{ kind: chat }',
      '{ endpoint: /v1/chat }',
      'plan.yaml:5:25',
      '/v1/chat/completions',
    ],
    [
      'an unknown scenario',
      'faults:',
      'scenarios: [two-429]\nfaults:',
      'plan.yaml:1:13',
      'two-429-then-success',
    ],
    ['a misspelt parameter', 'after_events', 'after_event', 'plan.yaml:7:19', 'did you mean "after_events"?'],
    ['a missing parameter', '{ after_events: 5 }', '{}', 'plan.yaml:7:17', 'after_events'],
    ['a parameter out of range', 'after_events: 5', 'after_events: -1', 'plan.yaml:7:33', 'at least 0'],
  ])('%s', (_what, from, to, place, hint) => {
    const message = refusal(PLAN.replace(from, to));
    expect(message).toContain(place);
    expect(message).toContain(hint);
  });
});

test('an unknown parameter is answered with the parameters of its own fault', () => {
  const plan = PLAN.replace('{ after_events: 5 }', '{ zzzzzzzz: 5 }');
  expect(refusal(plan)).toMatch(/7:19 faults\[1\]\.parameters\.zzzzzzzz: .*; known keys: after_events$/);
});

test('the committed JSON Schema is that of the plan', () => {
  const committed: unknown = JSON.parse(
    readFileSync(new URL('fault-plan.schema.json', import.meta.url), 'utf8'),
  );
  expect(committed).toEqual(JSON.parse(JSON.stringify(faultPlanJsonSchema())));
});

test('the corpus says for every fault what an audit should find', () => {
  const entry = z.strictObject({
    fault: z.string(),
    variant: z.string().optional(),
    parameters: z.record(z.string(), z.unknown()).optional(),
    class: z.enum(FAULT_CLASSES).nullable(),
    direction: z.enum(['over', 'under', 'none']),
    decidable: z.enum(['proved', 'bounded', 'no']).optional(),
    why: z.string().min(1).optional(),
  });
  const corpus = readFileSync(new URL('../../../test/corpus/faults.json', import.meta.url), 'utf8');
  const rows = z.array(entry).parse(JSON.parse(corpus));
  const listed = rows.map(({ fault }) => fault);
  expect([...new Set(listed)].sort()).toEqual(FAULTS.map(({ id }) => id).sort());
  const derived = (row: z.infer<typeof entry>): boolean =>
    row.fault.startsWith('bill.') && row.class !== null;
  expect(rows.filter((row) => derived(row) !== (row.decidable === undefined))).toEqual([]);
  const unsaid = rows.filter(
    (row) => !derived(row) && row.class !== null && row.decidable !== 'proved' && !row.why,
  );
  expect(unsaid).toEqual([]);
});

test('every class of finding can be planted, but for two that are no fault of a bill', () => {
  const row = z.looseObject({ class: z.string().nullable() });
  const corpus = readFileSync(new URL('../../../test/corpus/faults.json', import.meta.url), 'utf8');
  const planted = new Set(
    z
      .array(row)
      .parse(JSON.parse(corpus))
      .map((entry) => entry.class),
  );
  expect(FAULT_CLASSES.filter((name) => !planted.has(name))).toEqual([
    'unknown_status',
    'price_book_unreadable',
    'bill_disagrees',
  ]);
});

test('a plan of scenarios has their faults before its own, with what they leave out filled in', () => {
  const text = 'scenarios: [524-after-full-charge]\nfaults: [{ fault: http.401, when: { every: 5 } }]\n';
  expect(readFaultPlan({ text, file: 'plan.yaml' }).faults).toEqual([
    {
      fault: 'http.524_html',
      select: { paid: true },
      when: { first: 1 },
      parameters: { charge: 'charged', after_s: 30, body: 'html' },
    },
    { fault: 'http.401', when: { every: 5 }, parameters: {} },
  ]);
  expect(refusal('{}')).toContain('must have faults, scenarios or both');
});
