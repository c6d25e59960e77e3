/**
 * Switches requirements of the interface off, one at a time, and expects exactly the cases that cite them red.
 *
 *   npm run requirements -- --break 30 --seed 7    30 requirements picked by the seed
 *   npm run requirements -- --break all            every one, once
 *   npm run requirements -- --only page.limit      the named one (may be given again)
 *
 * First all cases run on the whole service: what is red then proves nothing. A line for each break, then
 * `N broken, M as expected`; exit 1 when they differ, 2 for wrong arguments.
 */
import { parseArgs } from 'node:util';
import { seededRandom } from '../src/core/seeded-random.ts';
import { REQUIREMENT_BREAKS } from '../test/requirements/all-breaks.ts';
import { REQUIREMENT_CASES } from '../test/requirements/all-cases.ts';
import { breakOutcome } from '../test/requirements/break-outcome.ts';
import {
  behindProxies,
  type Gateways,
  type RedCase,
  redCases,
  startGateways,
  transparent,
} from '../test/requirements/run-cases.ts';
import { REQUIREMENTS, type RequirementId } from '../test/requirements.ts';

interface Wanted {
  readonly ids: readonly RequirementId[];
  readonly seed: number;
}

function readArguments(): Wanted {
  const { values } = parseArgs({
    options: {
      break: { type: 'string' },
      seed: { type: 'string', default: '1' },
      only: { type: 'string', multiple: true },
    },
  });
  const seed = Number(values.seed);
  if (!Number.isInteger(seed)) throw new Error(`--seed: expected an integer, found ${values.seed}`);
  const all = REQUIREMENTS.map(({ id }) => id);
  if (values.only !== undefined) return { ids: values.only.map((text) => known(text, all)), seed };
  if (values.break === undefined || values.break === 'all') return { ids: all, seed };
  const count = Number(values.break);
  if (!Number.isInteger(count) || count < 1 || count > all.length) {
    throw new Error(`--break: expected all or 1 to ${all.length}, found ${values.break}`);
  }
  return { ids: picked(all, count, seed), seed };
}

function known(text: string, all: readonly RequirementId[]): RequirementId {
  const found = all.find((id) => id === text);
  if (found === undefined) throw new Error(`--only: no requirement is called ${text}`);
  return found;
}

function picked(all: readonly RequirementId[], count: number, seed: number): RequirementId[] {
  const random = seededRandom('requirements', seed);
  const left = [...all];
  return Array.from({ length: count }, () => left.splice(random.below(left.length), 1)).flat();
}

/** Breaks one requirement; whether exactly its own cases are red then. */
async function breakOne(gateways: Gateways, id: RequirementId): Promise<boolean> {
  const started = performance.now();
  const { instead, start } = REQUIREMENT_BREAKS[id];
  const red = await behindProxies(gateways, start(), (service) => redCases(REQUIREMENT_CASES, service));
  const { green, foreign } = breakOutcome(id, REQUIREMENT_CASES, red);
  const seconds = ((performance.now() - started) / 1000).toFixed(2);
  if (green.length === 0 && foreign.length === 0) {
    console.log(`ok    ${id}: ${red.length} red (${seconds} s): the service ${instead}`);
    return true;
  }
  console.log(`FAIL  ${id} (${seconds} s): the service ${instead}`);
  for (const name of green) console.log(`        expected red, found green: ${name}`);
  for (const found of foreign) console.log(`        expected green, found red:  ${line(found)}`);
  return false;
}

function line({ name, reason }: RedCase): string {
  return `${name}: ${reason.replaceAll(/\s+/g, ' ').slice(0, 160)}`;
}

async function run({ ids, seed }: Wanted): Promise<boolean> {
  console.log(
    `seed ${seed}, ${ids.length} of ${REQUIREMENTS.length} requirements, ${REQUIREMENT_CASES.length} cases`,
  );
  const gateways = await startGateways();
  try {
    const red = await behindProxies(gateways, transparent, (service) => redCases(REQUIREMENT_CASES, service));
    if (red.length > 0) {
      console.log('red before anything is broken:');
      for (const found of red) console.log(`  ${line(found)}`);
      return false;
    }
    let good = 0;
    for (const id of ids) if (await breakOne(gateways, id)) good += 1;
    console.log(`${ids.length} broken, ${good} as expected`);
    return good === ids.length;
  } finally {
    await gateways.close();
  }
}

try {
  const wanted = readArguments();
  process.exitCode = (await run(wanted)) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 2;
}
