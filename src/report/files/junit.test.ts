import { expect, test } from 'vitest';
import { FAULT_CLASSES } from '../../contracts/fault-class.ts';
import { coverageOf } from '../../contracts/reconciliation.test-support.ts';
import { finding, HOSTILE_MODEL, reconciliation, reportInput } from '../report.test-support.ts';
import { escapeXml, junitXml } from './write-formats.ts';

test('a class at or above the gate fails, one below passes, one that nothing could show is skipped', () => {
  const found = [
    finding({ explanation: HOSTILE_MODEL }),
    finding({ id: 'f2', class: 'unknown_status', severity: 'S4', delta_exact: null }),
  ];
  const judged = {
    ...reconciliation(found),
    coverage: coverageOf({ classes: [{ class: 'tool_surcharge', checked: 0, found: 0, below: null }] }),
  };
  const { result } = reportInput({ reconciliation: judged });
  const xml = junitXml(result, found);
  expect(xml).toContain(
    `<testsuite name="weighbridge.findings" tests="${FAULT_CLASSES.length}" failures="1" errors="0" skipped="1">`,
  );
  expect(xml).toContain(
    'name="duplicate_charge">\n      <failure message="Two charges for one request (duplicate_charge): 1 finding +$0.0125">',
  );
  expect(xml).toMatch(/name="unknown_status">\n {6}<system-out>f2 /);
  expect(xml).toContain('name="tool_surcharge">\n      <skipped message="no row could have shown it"/>');
  expect(xml).toContain('name="charged">\n      <system-out>$1.2470678</system-out>');
  expect(xml).toContain('&lt;/script&gt;');
  expect(xml.match(/<testcase /g)).toHaveLength(FAULT_CLASSES.length + 9 + 1);
});

test('what could not be concluded is an error, findings alone are not', () => {
  const errors = (code: number): string | undefined =>
    /name="weighbridge.verdict" tests="1" failures="0" errors="(\d)"/.exec(
      junitXml(reportInput({ exits: [{ code, why: 'w' }] }).result, []),
    )?.[1];
  expect([errors(5), errors(7), errors(3)]).toEqual(['0', '1', '1']);
});

test('nothing that XML cannot hold is written', () => {
  expect(escapeXml('a\u0000b\ud800<&>"\n\t')).toBe('a\ufffdb\ufffd&lt;&amp;&gt;&quot;&#10;&#9;');
});
