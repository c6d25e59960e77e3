import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stateFolder } from '../watch/watch-bench.test-support.ts';
import {
  AUDIT_STATE_SCHEMA,
  type AuditState,
  NOTHING_AUDITED,
  readAuditState,
  writeAuditState,
} from './audit-state.ts';

test('what was counted is read back; nothing stands there at first, and no half file ever', () => {
  const file = join(stateFolder(), 'audit', 'counted.json');
  expect(readAuditState(file)).toEqual(NOTHING_AUDITED);
  const state: AuditState = {
    schema: AUDIT_STATE_SCHEMA,
    calls: {
      c: { started_ms: 1, verdict: 'to_the_digit', settled: true },
      d: { started_ms: 2, verdict: null, settled: false },
    },
    findings: { f: 3 },
  };
  writeAuditState(file, state);
  expect(readAuditState(file)).toEqual(state);
  expect(existsSync(`${file}.part`)).toBe(false);
  // A write that was cut off before its end is not looked at.
  writeFileSync(`${file}.part`, '{"schema"');
  expect(readAuditState(file)).toEqual(state);
  writeFileSync(file, '{"schema":"weighbridge');
  expect(readAuditState(file)).toBeNull();
});

test('what a newer version has counted is refused by name, and is not begun anew', () => {
  const file = join(stateFolder(), 'counted.json');
  writeFileSync(file, '{"schema":"weighbridge.probe-audit/2"}');
  expect(() => readAuditState(file)).toThrow(
    `${file}: expected weighbridge.probe-audit/1, found "weighbridge.probe-audit/2"`,
  );
});
