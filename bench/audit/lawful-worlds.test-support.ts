import { seededRandom } from '../../src/core/seeded-random.ts';
import { type Readings, readingsSchema } from '../../src/gateway/readings/readings.ts';

/** One reading of each point by its name; points left out keep the gateway's own. */
export type World = Readonly<Record<string, unknown>>;

/** Every reading of every point that is a choice of words or of yes and no, by name. */
export function readingPoints(): ReadonlyMap<string, readonly unknown[]> {
  const points = new Map<string, readonly unknown[]>();
  for (const [name, field] of Object.entries(readingsSchema.shape)) {
    const inner = field.unwrap();
    if ('options' in inner) points.set(name, inner.options);
    else if (inner.type === 'boolean') points.set(name, [false, true]);
  }
  return points;
}

/** Whether no reading of the world excludes another. */
export function isLawful(world: World): boolean {
  return readingsSchema.safeParse(world).success;
}

/** A lawful mix of readings that the seed draws. */
export function randomWorld(seed: number): Readings {
  const random = seededRandom('lawful-world', seed);
  return readingsSchema.parse(filled({}, random, () => 0));
}

/** Worlds in which every lawful pair of readings stands together, greedily few. */
export function pairWorlds(seed: number): readonly World[] {
  const random = seededRandom('pair-worlds', seed);
  const open = lawfulPairs();
  const worlds: World[] = [];
  for (const pair of open.values()) {
    const gain = (world: World, point: string): number =>
      namesWith(world, point).filter((name) => open.has(name)).length;
    const world = filled(pair, random, gain);
    for (const name of namesOf(world)) open.delete(name);
    worlds.push(world);
  }
  return worlds;
}

/** Every pair of readings of two points that do not exclude one another, by its name. */
export function lawfulPairs(): Map<string, World> {
  const pairs = new Map<string, World>();
  const points = [...readingPoints()];
  for (const [index, [left, ones]] of points.entries()) {
    for (const [right, others] of points.slice(index + 1)) {
      for (const one of ones) {
        for (const other of others) {
          const pair = { [left]: one, [right]: other };
          if (isLawful(pair)) for (const name of namesOf(pair)) pairs.set(name, pair);
        }
      }
    }
  }
  return pairs;
}

/** The names of all pairs in a world. */
export function namesOf(world: World): readonly string[] {
  const told = Object.entries(world)
    .map(([point, reading]) => `${point}=${String(reading)}`)
    .sort();
  return told.flatMap((left, index) => told.slice(index + 1).map((right) => `${left} ${right}`));
}

/** The names of the pairs of one point in a world. */
function namesWith(world: World, point: string): readonly string[] {
  const { [point]: reading, ...others } = world;
  return Object.entries(others).flatMap(([name, other]) => namesOf({ [point]: reading, [name]: other }));
}

/** Takes for each further point the lawful reading with the most gain; the seed decides ties. */
function filled(
  given: World,
  random: { below(limit: number): number },
  gain: (world: World, point: string) => number,
): World {
  let world = given;
  for (const [point, readings] of readingPoints()) {
    if (point in world) continue;
    const shift = random.below(readings.length);
    let best: World | null = null;
    let most = -1;
    for (let index = 0; index < readings.length; index += 1) {
      const next = { ...world, [point]: readings[(index + shift) % readings.length] };
      const gained = isLawful(next) ? gain(next, point) : -1;
      if (gained > most) [best, most] = [next, gained];
    }
    world = best ?? world;
  }
  return world;
}
