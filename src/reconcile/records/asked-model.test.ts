import { expect, test } from 'vitest';
import { askedModels } from './asked-model.ts';

const KNOWN = ['aspen', 'aspen-mini', 'elm/elm-8b', 'oak-2026-05-13'];

test.each([
  ['aspen', 'aspen', 'its own name'],
  ['ASPEN-Mini', 'aspen-mini', 'another case'],
  ['openly/aspen', 'aspen', 'a provider before it'],
  ['ELM-8B', 'elm/elm-8b', 'without the provider that was asked for'],
  ['aspen-2026-05-13', 'aspen', 'a dated snapshot'],
  ['vendor/Aspen-20260513', 'aspen', 'all of that'],
  ['oak', 'oak-2026-05-13', 'the name of which a snapshot was asked for'],
  ['aspen-large', 'aspen-large', 'another model'],
  ['', '', 'no name'],
])('%s stands for %s: %s', (recorded, asked) => {
  expect(askedModels(KNOWN)(recorded)).toBe(asked);
});

test('a name that two known models may mean stays as it is', () => {
  expect(askedModels(['left/aspen', 'right/aspen'])('aspen')).toBe('aspen');
  expect(askedModels(['left/aspen', 'aspen'])('ASPEN')).toBe('aspen');
});
