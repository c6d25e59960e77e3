import { expect, it } from 'vitest';
import { NO_CAP } from '../core/plan.test-support.ts';
import { repeatSection } from './repeat-section.ts';
import { planWith, reportInput } from './report.test-support.ts';

const PLAN = planWith(['chat']);
const OWN = {
  ...PLAN,
  target: { ...PLAN.target, embedded: false, root: 'https://gateway.example' },
  cap: { ...NO_CAP, max_spend_usd: '1.75' },
};

function commands(plan: typeof PLAN, trialMade: boolean): string[] {
  const { blocks } = repeatSection(plan, reportInput().result, trialMade);
  return blocks.flatMap((block) => (block.type === 'code' ? block.text.split('\n') : []));
}

it('repeats the calls with the configuration of the run folder alone on the embedded gateway', () => {
  const capped = { ...PLAN, cap: { ...NO_CAP, max_spend_usd: '1.75' } };
  expect(commands(capped, false).at(-1)).toBe('weighbridge audit --config reports/run-1/config.yaml');
});

it('names target and cap of a gateway that is not ours', () => {
  const all = commands(OWN, false);
  expect(all.at(-1)).toBe(
    'weighbridge audit --config reports/run-1/config.yaml --target https://gateway.example --max-spend-usd 1.75',
  );
  expect(all.join('\n')).not.toContain('trial');
});

it('says that the cap is what the trial left', () => {
  const all = commands(OWN, true);
  expect(all.at(-2)).toMatch(/^# the cap is what the trial left/);
  expect(all.at(-1)).toContain('--max-spend-usd 1.75');
});
