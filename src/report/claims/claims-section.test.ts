import { expect, test } from 'vitest';
import { judge, recordOf, textRow } from '../../reconcile/reconcile.test-support.ts';
import { escapeHtml } from '../../text/escape-html.ts';
import { renderMarkdown } from '../page/markdown.ts';
import { renderHtml } from '../page/report-html.ts';
import { reportInput } from '../report.test-support.ts';
import { claimable } from './claimable.ts';
import { reportedClaims } from './claims-section.ts';
import { reportLetter } from './report-letter.ts';

type Spec = Parameters<typeof judge>[0];
const DOUBLE: Spec = {
  rows: [textRow('a')],
  sweeps: [{ records: [recordOf('a'), recordOf('a', { id: 'rec-a2' })] }],
};

const RUN = { run_id: 'run-1', target: 'https://gateway.example', period: null };

function claimsOf(spec: Spec, least: string | null = null): ReturnType<typeof reportedClaims> {
  return reportedClaims(RUN, judge(spec), least);
}

function told(spec: Spec, least: string | null = null): string {
  return JSON.stringify(claimsOf(spec, least)?.section.blocks ?? null);
}

test('a bill of which nothing is too much has no such section', () => {
  expect(claimsOf({ rows: [textRow('a')], sweeps: [{ records: [recordOf('a')] }] })).toBeNull();
});

test('each cause stands with its requests and its sum, and how it is written', () => {
  expect(told(DOUBLE)).toContain(
    '["Billed twice","duplicate_charge","text-1","second_settled_record","1","$0.0028"]',
  );
  expect(told(DOUBLE)).toContain(
    '“weighbridge report --bundle” writes a letter that asks about them; no sum is demanded until',
  );
});

test('what is provisional has the date from which it can be claimed', () => {
  const held = recordOf('a', { billing_status: 'pending', amount: '0', refunded_amount: '0' });
  const spec: Spec = { rows: [textRow('a')], sweeps: [{ records: [held] }] };
  const said = told(spec);
  expect(claimsOf(spec)).toMatchObject({
    now: null,
    later: { usd: '$0.0072', from: '2026-11-20T12:15:01.000Z' },
    letter: null,
  });
  expect(said).toContain('Nothing can be raised now');
  expect(said).toContain('"provisional","1","0.0072"');
  expect(said).toMatch(/can be claimed from 2026-11-20T12:15:01/);
});

test('a cause below the least sum is left out of it, and named', () => {
  expect(told(DOUBLE, '1')).toContain('below the least amount claimed');
});

test('the letter of a question names each request and demands no sum', () => {
  const claims = claimsOf(DOUBLE);
  expect(claims?.now).toBe('0.0028');
  expect(claims?.letter).toContain('Subject: Please explain the charges of 1 request');
  expect(claims?.letter).toContain('We demand no sum yet: your documents and our agreement do not tell');
  expect(claims?.letter).toContain(
    '1. Billed twice, model text-1, 1 request\n   - req-a, charged $0.0056, we compute $0.0028',
  );
  expect(claims?.letter).not.toContain('credit');
});

test('the letter of a claim demands its sum, cause by cause', () => {
  const { claims } = claimable('run-1', judge(DOUBLE));
  const letter = reportLetter({ ...RUN, charged: '0.0056', claims, untold: [] });
  expect(letter).toContain('Subject: Please credit $0.0028 to our account');
  expect(letter).toContain('1. Billed twice, model text-1, 1 request: $0.0028');
  expect(letter).toContain('to credit $0.0028');
});

test('a letter lists at most 100 requests and says how many more there are', () => {
  const [claim] = claimable('run-1', judge(DOUBLE)).claims;
  const claims = claim === undefined ? [] : Array.from({ length: 103 }, () => claim);
  const letter = reportLetter({ ...RUN, charged: '1', claims, untold: [] });
  expect(letter.match(/^ {3}- /gm)).toHaveLength(100);
  expect(letter).toContain('and 3 more requests');
});

test('report.md lists it; report.html has the letter to copy and to save', () => {
  const claims = claimsOf(DOUBLE);
  const html = renderHtml({ ...reportInput(), claims });
  for (const page of [renderMarkdown({ ...reportInput(), claims }), html]) {
    expect(page).toContain('What can be asked about');
    expect(page).toContain('Billed twice');
  }
  expect(html).toContain(`<pre id="letter" tabindex="0">${escapeHtml(claims?.letter ?? '')}</pre>`);
  expect(html).toContain('data-copy-of="letter"');
  expect(html).toContain('data-save-of="letter"');
  expect(html).toContain('<dt>To raise now</dt><dd>$0.0028</dd>');
});
