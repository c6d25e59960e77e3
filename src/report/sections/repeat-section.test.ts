import { expect, it } from 'vitest';
import { NO_CAP } from '../../workload/plan.test-support.ts';
import { planWith, reportInput } from '../report.test-support.ts';
import { type RanCommand, repeatSection } from './repeat-section.ts';

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

it('keeps the command that ran, with every flag that shaped its calls', () => {
  const ran: RanCommand = {
    mode: 'run',
    search: { from: 1, step_ms: 5000, resolution: 0.2, most_steps: 6 },
    nonce: 'again',
    faults: 'faults.yaml',
    readings: 'readings.yaml',
    assumed: ['amount=net', 'status.on hold=pending'],
  };
  const last = (command: RanCommand): string | undefined => {
    const { blocks } = repeatSection(PLAN, reportInput().result, false, { out: 'out', name: 'r' }, command);
    return blocks.flatMap((block) => (block.type === 'code' ? block.text.split('\n') : [])).at(-1);
  };
  expect(last(ran)).toBe(
    "weighbridge run --config out/r/config.yaml --nonce again --faults out/r/faults.yaml --readings out/r/readings.yaml --assume-reading amount=net --assume-reading 'status.on hold=pending' --find-capacity --from 1 --step 5000ms --resolution 0.2 --most-steps 6",
  );
  expect(
    last({
      ...ran,
      search: null,
      nonce: null,
      readings: null,
      assumed: [],
      faults: 'scenario:two-429-then-success',
    }),
  ).toBe('weighbridge run --config out/r/config.yaml --faults scenario:two-429-then-success');
});
