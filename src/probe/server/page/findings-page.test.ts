import { expect, test } from 'vitest';
import { billOf, targetOf, viewOf } from '../../view/daemon-view.test-support.ts';
import { differenceWords } from './bill-section.ts';
import { renderFindingsPage } from './findings-page.ts';

const example = {
  request_id: 'req_<1>',
  model: 'aspen-mini',
  explanation: 'Two records of one call <b>',
  next_step: 'Ask for one of them back.',
};
const group = { class: 'duplicate_charge', findings: 12, delta_usd: '0.5', partly: true, example } as const;

test('lists each kind of finding with its amount, an example and what to do, as text', () => {
  const page = renderFindingsPage(
    viewOf({
      targets: [targetOf({ audit: billOf({ findings: 12, verdict: 'findings', groups: [group] }) })],
    }),
  );
  for (const part of [
    'The bill has 12 findings.',
    'Two charges for one request',
    '<code>duplicate_charge</code>',
    '$0.5 too much and more without an exact amount',
    'Two records of one call &lt;b&gt;',
    'aspen-mini · request req_&lt;1&gt;',
    'Ask for one of them back.',
  ])
    expect(page).toContain(part);
});

test('says that nothing was compared yet, or that nothing was found', () => {
  expect(renderFindingsPage(viewOf({}))).toContain('No paid call has been compared with its record yet.');
  const page = renderFindingsPage(viewOf({ targets: [targetOf({ audit: billOf({}) })] }));
  expect(page).toContain('The bill has no findings.');
  expect(page).toContain('0 findings in 812 calls');
});

test.each([
  ['0.5', false, '$0.5 too much'],
  ['-0.25', true, '$0.25 too little and more without an exact amount'],
  ['0', false, 'no difference in amount'],
  [null, false, 'no exact amount'],
] as const)('a difference of %s reads as words', (delta_usd, partly, words) => {
  expect(differenceWords({ delta_usd, partly })).toBe(words);
});
