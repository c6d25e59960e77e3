import { expect, test } from 'vitest';
import type { FaultSubject } from './fault-definition.ts';
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
