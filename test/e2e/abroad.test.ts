import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as z from 'zod';
import { abroadLines, abroadTable, wrongOf } from '../../bench/audit/abroad/abroad-tables.ts';
import { abroadWorlds, type JudgedAbroad } from '../../bench/audit/abroad/abroad-worlds.ts';
import { runWorlds } from '../../bench/audit/abroad/run-abroad.ts';
import { readingsSchema } from '../../src/gateway/readings/readings.ts';

/** CI draws more worlds, by the tree that it tests. */
const { WEIGHBRIDGE_ABROAD_WORLDS: worlds = '10', WEIGHBRIDGE_ABROAD_SEED: seed = '1' } = process.env;
const WORLDS = Number(worlds);
const LANES = 2;

const redWorlds = z.array(z.strictObject({ seed: z.int(), planted: z.boolean(), readings: readingsSchema }));

function accused({ audits }: JudgedAbroad): readonly string[] {
  return audits.flatMap(({ accusations, untrue }) => [...accusations, ...untrue]);
}

test('honest gateways of mixed readings are accused of nothing, and auditors that see nothing fail', async () => {
  const judged = await runWorlds(abroadWorlds(Number(seed), WORLDS), LANES, () => undefined);
  process.stdout.write(`${[`abroad: ${WORLDS} worlds, seed ${seed}`, ...abroadLines(judged)].join('\n')}\n`);
  expect(judged).toHaveLength(WORLDS);
  const honest = judged.filter(({ planted }) => !planted);
  expect(honest).toHaveLength(WORLDS / 2);
  expect(honest.flatMap(wrongOf)).toEqual([]);
  expect(judged.flatMap(accused)).toEqual([]);
  const { shadows } = abroadTable(judged);
  expect(Object.keys(shadows)).toEqual(['accuses nobody', 'can tell nothing']);
  for (const failed of Object.values(shadows)) expect(failed.length).toBeGreaterThan(0);
});

test('worlds in which a gateway was once accused of what it did not do stay silent', async () => {
  const file = join(import.meta.dirname, '../corpus/abroad/red-worlds.json');
  const red = redWorlds.parse(JSON.parse(readFileSync(file, 'utf8')));
  const judged = await runWorlds(red, LANES, () => undefined);
  expect(judged).toHaveLength(red.length);
  expect(judged.flatMap(accused)).toEqual([]);
});
