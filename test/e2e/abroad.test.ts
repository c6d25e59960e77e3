import { expect, test } from 'vitest';
import { abroadTable, wrongOf } from '../../bench/audit/abroad/abroad-tables.ts';
import type { JudgedAbroad } from '../../bench/audit/abroad/abroad-worlds.ts';
import { runAbroad } from '../../bench/audit/abroad/run-abroad.ts';

const WORLDS = 10;
const SEED = 1;

test('honest gateways of mixed readings are accused of nothing, and auditors that see nothing fail', async () => {
  const judged = await runAbroad({ count: WORLDS, seed: SEED, lanes: 2 }, () => undefined);
  expect(judged).toHaveLength(WORLDS);
  const honest = judged.filter(({ planted }) => !planted);
  expect(honest).toHaveLength(WORLDS / 2);
  expect(honest.flatMap(wrongOf)).toEqual([]);
  const accused = ({ audits }: JudgedAbroad) =>
    audits.flatMap(({ accusations, untrue }) => [...accusations, ...untrue]);
  expect(judged.flatMap(accused)).toEqual([]);
  const { shadows } = abroadTable(judged);
  expect(Object.keys(shadows)).toEqual(['accuses nobody', 'can tell nothing']);
  for (const failed of Object.values(shadows)) expect(failed.length).toBeGreaterThan(0);
});
