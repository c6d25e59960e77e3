import { expect, it } from 'vitest';
import type { CallRow } from '../contracts/ledger-lines.ts';
import { failureGroups } from './failure-groups.ts';
import { callRow, failedRow } from './ledger.test-support.ts';
import { logicalCalls } from './logical-call.ts';

const groupsOf = (rows: readonly CallRow[]) => failureGroups(logicalCalls(rows));
const refused = (at: number, changes: Partial<CallRow> = {}) =>
  failedRow(at, { status: 400, error_code: 'bad_size', ...changes });

it('groups by outcome, status and code, the largest first', () => {
  const rows = [
    callRow(0),
    failedRow(1, { outcome: 'truncated', status: 200 }),
    refused(2, { error_message: 'no such size' }),
    refused(3, { error_message: 'no such size' }),
    refused(4, { error_code: null }),
  ];
  expect(groupsOf(rows)).toEqual([
    { outcome: 'http_error', status: 400, error_code: 'bad_size', message: 'no such size', count: 2 },
    { outcome: 'http_error', status: 400, error_code: null, message: null, count: 1 },
    { outcome: 'truncated', status: 200, error_code: null, message: null, count: 1 },
  ]);
});

it('shows the commonest message, whatever request id each one carries', () => {
  const rows = [
    refused(0, { error_message: 'rare' }),
    refused(1, { error_message: 'busy (request id: r1)', request_ids: ['r1'] }),
    refused(2, { error_message: 'busy (request id: r2)', request_ids: ['r2'] }),
    refused(3),
    refused(4),
    refused(5),
  ];
  expect(groupsOf(rows)).toMatchObject([{ message: 'busy (request id: r1)', count: 6 }]);
});

it('cuts a message at 200 characters, never inside one', () => {
  const [exact] = groupsOf([refused(0, { error_message: '😀'.repeat(200) })]);
  expect(exact?.message).toBe('😀'.repeat(200));
  const [longer] = groupsOf([refused(0, { error_message: '😀'.repeat(201) })]);
  expect(longer?.message).toBe(`${'😀'.repeat(199)}…`);
});

it('leaves out what we ended, and more than ten groups', () => {
  expect(groupsOf([failedRow(0, { outcome: 'interrupted' }), failedRow(1, { outcome: 'aborted' })])).toEqual(
    [],
  );
  const rows = Array.from({ length: 12 }, (_, index) => failedRow(index, { status: 500 + index }));
  const groups = groupsOf([...rows, failedRow(20, { status: 511 })]);
  expect(groups).toHaveLength(10);
  expect(groups[0]).toMatchObject({ status: 511, count: 2 });
});
