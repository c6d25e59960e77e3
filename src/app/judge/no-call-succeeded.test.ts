import { expect, test } from 'vitest';
import type { CallRow } from '../../contracts/ledger-lines.ts';
import { callRow, failedRow } from '../../measure/ledger.test-support.ts';
import { noCallSucceeded } from './ledger-ends.ts';

const TRIAL = { instance: 'trial' } as const;
const UNANSWERED = { outcome: 'net_error', status: null } as const;

function refused(status: number, changes: Partial<CallRow> = {}): CallRow {
  return failedRow(0, { status, ...changes });
}

test.for([
  [[failedRow(0, UNANSWERED)], 3, 'the target answered no call: 1 of 1 ended net_error'],
  [[refused(401), refused(402), refused(403)], 3, 'the target refused every call that it answered: 1 of 3'],
  [[refused(401), failedRow(0, UNANSWERED)], 3, 'the target refused every call that it answered'],
  [[refused(404), refused(404), refused(401)], 4, 'no call succeeded (no_call_succeeded): 2 of 3'],
  [[failedRow(0, { outcome: 'stream_error', status: 200 })], 4, 'no call succeeded (no_call_succeeded)'],
  // The trial alone was sent.
  [[refused(401, TRIAL)], 3, 'the target refused every call'],
  // The trial was answered, so the target was reached and let the key in; no call of the load succeeded all the same.
  [[callRow(0, TRIAL), refused(402)], 4, 'no call succeeded (no_call_succeeded): 1 of 1'],
] as const)('case %#: exit %i', ([rows, code, why]) => {
  expect(noCallSucceeded(rows)).toEqual({ code, why: expect.stringContaining(why) });
});

test('one success is enough, and what was not sent or was ended by us says nothing', () => {
  expect(noCallSucceeded([callRow(0), refused(401)])).toBeNull();
  expect(noCallSucceeded([])).toBeNull();
  const ended = (['not_sent', 'aborted', 'interrupted'] as const).map((outcome) =>
    failedRow(0, { outcome, status: null }),
  );
  expect(noCallSucceeded(ended)).toBeNull();
  // A download or a poll is no call.
  expect(noCallSucceeded([failedRow(0, { kind: 'poll' })])).toBeNull();
});

test('status, code and text of the commonest answer are told, in one line', () => {
  const told = { error_code: 'model_not_found', error_message: 'The model\n`m` does not exist' };
  expect(noCallSucceeded([refused(404, told)])?.why).toBe(
    'no call succeeded (no_call_succeeded): 1 of 1 ended http_error 404 model_not_found: The model `m` does not exist',
  );
});
