import { expect, test } from 'vitest';
import type { FaultSubject } from '../hooks/fault-definition.ts';
import { FaultEngine as Engine } from './fault-engine.ts';
import type { FaultPlan } from './fault-plan.ts';

class FaultEngine extends Engine {
  constructor(seed: number, plan: FaultPlan) {
    super(seed, plan, { append: () => undefined });
  }

  chosenFor(subject: FaultSubject) {
    return this.faultsFor(subject, 'r1', null).armed;
  }
}

const CALL: FaultSubject = {
  endpoint: '/v1/chat/completions',
  kind: 'chat',
  model: 'aspen-mini',
  keyFingerprint: '0123456789abcdef',
  keyOrdinal: 1,
  stream: true,
};

function doubleCharge(when: { probability: number } | { nth: number }, select?: object): FaultPlan {
  return {
    faults: [
      { fault: 'bill.double_charge', when, ...(select === undefined ? {} : { select }), parameters: {} },
    ],
  };
}

/** Ordinals at which the fault was chosen over n calls. */
function chosen(engine: FaultEngine, n: number, call: FaultSubject = CALL): number[] {
  return Array.from({ length: n }, () => engine.chosenFor(call)).flatMap((armed) =>
    armed.map(({ ordinal }) => ordinal),
  );
}

test('nth fires once, at the n-th selected call', () => {
  const engine = new FaultEngine(1, doubleCharge({ nth: 3 }, { kind: 'chat' }));
  engine.chosenFor({ ...CALL, kind: 'responses' });
  expect(chosen(engine, 10)).toEqual([3]);
});

test('probability 0 never fires, 1 always, and between them about that share', () => {
  expect(chosen(new FaultEngine(1, doubleCharge({ probability: 0 })), 200)).toEqual([]);
  expect(chosen(new FaultEngine(1, doubleCharge({ probability: 1 })), 5)).toEqual([1, 2, 3, 4, 5]);
  const share = chosen(new FaultEngine(1, doubleCharge({ probability: 0.1 })), 5000).length / 5000;
  expect(share).toBeGreaterThan(0.08);
  expect(share).toBeLessThan(0.12);
});

test('the decisions depend on the seed and on nothing that runs beside', () => {
  const plan = doubleCharge({ probability: 0.2 });
  const alone = chosen(new FaultEngine(5, plan), 100);
  const mixed = new FaultEngine(5, plan);
  const beside: number[] = [];
  for (let index = 0; index < 100; index += 1) {
    mixed.chosenFor({ ...CALL, keyOrdinal: 2 });
    beside.push(...mixed.chosenFor(CALL).map(({ ordinal }) => ordinal));
    mixed.chosenFor({ ...CALL, endpoint: '/v1/responses' });
  }
  expect(beside).toEqual(alone);
  expect(chosen(new FaultEngine(6, plan), 100)).not.toEqual(alone);
});

test.each([
  [{ endpoint: '/v1/chat/completions' }, true],
  [{ endpoint: '/v1/responses' }, false],
  [{ kind: 'messages' }, false],
  [{ model: 'aspen-mini' }, true],
  [{ model: 'aspen' }, false],
  [{ key_fp: '0123456789abcdef' }, true],
  [{ key_fp: 'ffffffffffffffff' }, false],
  [{ kind: 'chat', model: 'aspen' }, false],
])('the selector %j takes the call: %s', (select, taken) => {
  expect(chosen(new FaultEngine(1, doubleCharge({ probability: 1 }, select)), 1)).toHaveLength(taken ? 1 : 0);
});

test('a cut is not chosen for a call without a stream, nor counted', () => {
  const plan = { faults: [{ fault: 'net.fin_mid', when: { nth: 2 }, parameters: { after_events: 1 } }] };
  const engine = new FaultEngine(1, plan);
  engine.chosenFor({ ...CALL, stream: false });
  expect(chosen(engine, 3)).toEqual([2]);
});

test('several faults may hit one call; a new plan counts from the start', () => {
  const both: FaultPlan = {
    faults: [
      { fault: 'bill.double_charge', when: { nth: 1 }, parameters: {} },
      { fault: 'net.eof_clean', when: { nth: 1 }, parameters: { after_events: 2 } },
    ],
  };
  const engine = new FaultEngine(1, both);
  expect(engine.chosenFor(CALL).map(({ fault }) => fault)).toEqual(['bill.double_charge', 'net.eof_clean']);
  expect(engine.chosenFor(CALL)).toEqual([]);
  engine.use(both);
  expect(engine.chosenFor(CALL)).toHaveLength(2);
});

test('parameters reach the fault: it cuts after that many events and not before', () => {
  const plan = { faults: [{ fault: 'net.eof_clean', when: { nth: 1 }, parameters: { after_events: 4 } }] };
  const [armed] = new FaultEngine(1, plan).chosenFor(CALL);
  expect([0, 3, 4, 5].map((written) => armed?.hooks.cutBefore?.(written))).toEqual([
    null,
    null,
    'eof',
    'eof',
  ]);
});

test.each([
  [{ first: 3 }, [1, 2, 3]],
  [{ every: 4 }, [4, 8]],
  [{ every: 1 }, [1, 2, 3, 4, 5, 6, 7, 8, 9]],
  [{ nth: 9 }, [9]],
])('%j chooses %j of nine calls, whatever their key and endpoint', (when, ordinals) => {
  const plan = { faults: [{ fault: 'bill.double_charge', when, parameters: {} }] };
  const engine = new FaultEngine(1, plan);
  const subjects = Array.from({ length: 9 }, (_, index): FaultSubject => {
    const keyOrdinal = index % 3;
    return index % 2 === 0 ? { ...CALL, keyOrdinal } : { ...CALL, keyOrdinal, endpoint: '/v1/responses' };
  });
  const armed = subjects.flatMap((subject) => engine.chosenFor(subject));
  expect(armed.map(({ ordinal }) => ordinal)).toEqual(ordinals);
});

test.each([
  [{ paid: true }, { kind: null, endpoint: '/v1/usage', stream: false } as const, false],
  [{ paid: false }, { kind: null, endpoint: '/v1/usage', stream: false } as const, true],
  [{ paid: false }, {}, false],
  [{ stream: true }, {}, true],
  [{ stream: false }, {}, false],
])('the selector %j takes %j: %s', (select, over, taken) => {
  const plan = { faults: [{ fault: 'http.503', when: { every: 1 }, select, parameters: {} }] };
  expect(new FaultEngine(1, plan).chosenFor({ ...CALL, ...over })).toHaveLength(taken ? 1 : 0);
});

test('faults that a request asks for stand in the place of the plan, which counts on without it', () => {
  const lines: string[] = [];
  const plan = { faults: [{ fault: 'bill.double_charge', when: { nth: 2 }, parameters: {} }] };
  const engine = new Engine(1, plan, { append: ({ request_id }) => lines.push(request_id) });
  const asked = [{ fault: 'http.503', when: { nth: 1 }, parameters: {} }];
  engine.faultsFor(CALL, 'r1', null);
  const [own, ...others] = engine.faultsFor(CALL, 'r2', asked).armed;
  expect([own?.fault, others]).toEqual(['http.503', []]);
  expect(engine.faultsFor(CALL, 'r3', null).armed.map(({ fault }) => fault)).toEqual(['bill.double_charge']);
  expect(lines).toEqual([]);
  own?.hooks.instead?.();
  expect(lines).toEqual(['r2']);
});

test('a fault tells of each request once', () => {
  const lines: [string, string][] = [];
  const plan = {
    faults: [{ fault: 'net.reset_before', when: { nth: 1 }, parameters: { charge: 'charged' } }],
  };
  const engine = new Engine(1, plan, { append: (line) => lines.push([line.request_id, line.delta]) });
  const [armed] = engine.faultsFor(CALL, 'r1', null).armed;
  armed?.hooks.settled?.({ amount: 5n * 10n ** 12n });
  expect(lines).toEqual([]);
  armed?.hooks.replace?.({ status: 200, headers: {}, body: '{}' });
  armed?.hooks.ended?.();
  expect(lines).toEqual([['r1', '5']]);
});
