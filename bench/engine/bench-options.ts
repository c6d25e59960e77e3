import { parseArgs } from 'node:util';

export const SUITES = ['streams', 'spread', 'trap', 'sustained', 'plain', 'rate', 'memory'] as const;
export type Suite = (typeof SUITES)[number];

export interface BenchOptions {
  readonly quick: boolean;
  readonly only: readonly Suite[];
  /** Also AIPerf, which is large to install and slow. */
  readonly aiperf: boolean;
  /** Peers other than the floor and those in our own binary. */
  readonly peers: boolean;
  /** Profiles in place of figures. */
  readonly profile: boolean;
  /** A ready k6 in place of the one built from the tree. */
  readonly k6: string | null;
  /** Parts of the names of the clients that are measured; null for all. */
  readonly clients: readonly string[] | null;
  readonly reps: number | null;
  readonly levels: readonly number[] | null;
}

export const USAGE = `npm run bench:engine -- [--quick] [--only ${SUITES.join('|')}[,…]] [--reps N] [--levels 500,1000]
    [--clients floor,ours] [--peers none|aiperf] [--k6 PATH] [--profile]`;

/** Reads the command line; throws what is wrong with it. */
export function readOptions(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      peers: { type: 'string' },
      profile: { type: 'boolean', default: false },
      k6: { type: 'string' },
      clients: { type: 'string' },
      reps: { type: 'string' },
      levels: { type: 'string' },
    },
  });
  if (values.peers !== undefined && values.peers !== 'aiperf' && values.peers !== 'none') {
    throw new Error(`--peers: expected aiperf or none, found ${values.peers}`);
  }
  return {
    quick: values.quick,
    only: values.only === undefined ? SUITES : values.only.split(',').map(suiteNamed),
    aiperf: values.peers === 'aiperf',
    peers: values.peers !== 'none',
    profile: values.profile,
    k6: values.k6 ?? null,
    clients: values.clients?.split(',') ?? null,
    reps: values.reps === undefined ? null : countOf('--reps', values.reps),
    levels:
      values.levels === undefined ? null : values.levels.split(',').map((text) => countOf('--levels', text)),
  };
}

/** Whether a client of this name is measured. */
export function isChosen({ clients }: Pick<BenchOptions, 'clients'>, name: string): boolean {
  return clients?.some((part) => name.includes(part)) ?? true;
}

/** Which peers the chosen suites and clients run: no other is built or installed. */
export function wantedPeers(
  options: BenchOptions,
): Readonly<Record<'vegeta' | 'locust' | 'aiperf', boolean>> {
  const { only, peers, profile } = options;
  const wanted = (name: string, suite: Suite): boolean =>
    !profile && only.includes(suite) && isChosen(options, name);
  return {
    vegeta: peers && wanted('vegeta', 'rate'),
    locust: peers && wanted('Locust', 'streams'),
    aiperf: options.aiperf && wanted('AIPerf', 'streams'),
  };
}

function suiteNamed(name: string): Suite {
  const found = SUITES.find((suite) => suite === name);
  if (found === undefined) throw new Error(`--only: expected one of ${SUITES.join(', ')}, found ${name}`);
  return found;
}

function countOf(flag: string, text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) {
    throw new Error(`${flag}: expected a whole number above 0, found ${text}`);
  }
  return count;
}
