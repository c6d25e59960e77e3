import { expect, it } from 'vitest';
import { listFaults } from '../src/gateway/faults/fault-list.ts';
import { faultTables, type GradedFault } from './fault-tables.ts';

const NONE = { class: null, direction: 'none' };
const [ALIKE, UNLIKE, ALONE] = ['bill.video_units', 'bill.wrong_model', 'bill.unit_error'];

const graded: readonly GradedFault[] = [
  ...listFaults()
    .filter(({ id }) => id !== ALIKE && id !== UNLIKE && id !== ALONE)
    .map(({ id }) => ({ fault: id, ...NONE })),
  { fault: ALIKE, variant: 'variant a', class: 'video_units_wrong', direction: 'over' },
  { fault: ALIKE, variant: 'variant b', class: 'video_units_wrong', direction: 'over' },
  { fault: UNLIKE, variant: 'variant a', class: 'wrong_model_price', direction: 'over' },
  { fault: UNLIKE, variant: 'variant b', ...NONE },
  { fault: UNLIKE, variant: 'variant c', class: 'wrong_model_price', direction: 'over' },
  { fault: ALONE, variant: 'variant a', ...NONE },
];

const lines = faultTables(graded, (_, rows) => rows.map((cells) => cells.join(' | ')).join('\n')).split('\n');
const findingOf = (fault: string | undefined) =>
  lines
    .find((line) => line.startsWith(`\`${fault}\` |`))
    ?.split(' | ')
    .at(-1);

it('a parameter that several faults take is explained once, and each of them leads there', () => {
  const taking = listFaults().filter(({ parameters }) =>
    parameters.some(({ name }) => name === 'after_events'),
  );
  const explained = lines.filter((line) => line.startsWith('`after_events` |'));
  const led = lines.filter((line) => line.includes('[`after_events`](#parameters-that-several-faults-take)'));
  expect(explained).toHaveLength(1);
  expect(led).toHaveLength(taking.length);
});

it('variants that are found alike share a line; one that stands alone keeps its name', () => {
  expect(findingOf(ALIKE)).toBe('`video_units_wrong`, over');
  expect(findingOf(UNLIKE)).toBe('variant a; variant c: `wrong_model_price`, over<br>variant b: none');
  expect(findingOf(ALONE)).toBe('variant a: none');
});
