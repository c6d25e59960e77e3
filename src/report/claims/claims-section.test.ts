import { expect, test } from 'vitest';
import { judge, recordOf, textRow } from '../../reconcile/reconcile.test-support.ts';
import { renderMarkdown } from '../page/markdown.ts';
import { renderHtml } from '../page/report-html.ts';
import { reportInput } from '../report.test-support.ts';
import { claimsSection } from './claims-section.ts';

type Spec = Parameters<typeof judge>[0];
const DOUBLE: Spec = {
  rows: [textRow('a')],
  sweeps: [{ records: [recordOf('a'), recordOf('a', { id: 'rec-a2' })] }],
};

function told(spec: Spec, least: string | null = null): string {
  return JSON.stringify(claimsSection('run-1', judge(spec), least)?.blocks ?? null);
}

test('a bill of which nothing is too much has no such section', () => {
  expect(
    claimsSection('run-1', judge({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a')] }] }), null),
  ).toBeNull();
});

test('each cause stands with its requests and its sum, and how it is written', () => {
  expect(told(DOUBLE)).toContain('["Charged twice","text-1","second_settled_record","1","$0.0028"]');
  expect(told(DOUBLE)).toContain(
    'weighbridge report --bundle writes a letter that asks; no sum is demanded until',
  );
});

test('what is provisional has the date from which it can be claimed', () => {
  const held = recordOf('a', { billing_status: 'pending', amount: '0', refunded_amount: '0' });
  const said = told({ rows: [textRow('a')], sweeps: [{ records: [held] }] });
  expect(said).toContain('Nothing now');
  expect(said).toContain('"provisional","1","0.0072"');
  expect(said).toMatch(/can be claimed from 2026-11-20T12:15:01/);
});

test('a cause below the least sum is left out of it, and named', () => {
  expect(told(DOUBLE, '1')).toContain('below the least amount claimed');
});

test('report.md and report.html list it', () => {
  const claims = claimsSection('run-1', judge(DOUBLE), null);
  for (const page of [
    renderMarkdown({ ...reportInput(), claims }),
    renderHtml({ ...reportInput(), claims }),
  ]) {
    expect(page).toContain('What can be asked about');
    expect(page).toContain('Charged twice');
  }
});
