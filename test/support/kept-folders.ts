import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run-weighbridge.ts';

const KEPT = join(ROOT, 'test/kept-folders');

/** Runs that an earlier version made: one with findings, a clean one held against it, and the audit of a period. */
export const KEPT_RUNS: readonly string[] = readdirSync(join(KEPT, 'reports')).sort();
const [faulty = '', clean = '', period = ''] = KEPT_RUNS;

/** What a finding of the first run is called. */
const FINDING =
  /"id":"(\w+)"/.exec(readFileSync(join(KEPT, 'reports', faulty, 'findings.ndjson'), 'utf8'))?.[1] ?? '';

/** The claim that is still open. */
const CLAIM = '0c87dd45323a';

/** Commands that read what is kept and no gateway; in this order, since some write. */
const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  // By the name that an earlier version gave `history`.
  reports: ['reports'],
  'reports-json': ['reports', '--json'],
  claims: ['claims'],
  'claims-json': ['claims', '--json'],
  explain: ['explain', '--run', faulty, FINDING],
  'explain-json': ['explain', '--run', faulty, FINDING, '--json'],
  'report-faulty': ['report', '--run', faulty, '--json'],
  'report-clean': ['report', '--run', clean, '--json'],
  'report-period': ['report', '--run', period, '--json'],
  compare: ['report', '--compare', faulty, clean, '--json'],
  'bundle-dry-run': ['report', '--run', faulty, '--bundle', '--dry-run'],
  plan: ['plan', '--config', 'plan.yaml', '--json', '--nonce', 'kept'],
  'claims-refused': ['claims', 'refused', CLAIM, '--json'],
  'claims-after': ['claims', '--json'],
  reconcile: ['reconcile', '--ledger', 'ledger', '--records', 'records.ndjson', '--pricebook', 'book.json'],
};

/** Copies what is kept to the folder `place`, runs each command there with the clone's build, and gives what it said. */
export function sayKept(place: string, clone: string): ReadonlyMap<string, string> {
  mkdirSync(place, { recursive: true });
  cpSync(join(KEPT, 'reports'), join(place, 'reports'), { recursive: true });
  cpSync(join(KEPT, 'state'), join(place, '.weighbridge'), { recursive: true });
  cpSync(join(KEPT, 'reports', faulty), join(place, 'ledger'), { recursive: true });
  for (const file of ['records.ndjson', 'plan.yaml']) cpSync(join(KEPT, file), join(place, file));
  const books = join(KEPT, 'reports', faulty, 'books');
  cpSync(join(books, readdirSync(books)[0] ?? ''), join(place, 'book.json'));
  return new Map(
    Object.entries(COMMANDS).map(([name, args]) => {
      const { stdout, stderr, status } = spawnSync(
        process.execPath,
        [join(clone, 'bin/weighbridge.mjs'), ...args],
        {
          cwd: place,
          encoding: 'utf8',
          env: { PATH: process.env['PATH'], HOME: place, NO_COLOR: '1', TZ: 'UTC' },
        },
      );
      return [name, timeless(`${stdout}${stderr}status ${status}\n`.replaceAll(place, '<place>'))];
    }),
  );
}

/** Takes out what no two runs share: the moment, the id of a plan, the port of the embedded gateway. */
function timeless(said: string): string {
  return said
    .replaceAll(/("(?:changed_at|created_at)": ?)"[^"]*"/g, '$1"<now>"')
    .replaceAll(/("run_id": )"[^"]*"/g, '$1"<run>"')
    .replaceAll(/127\.0\.0\.1:\d+/g, '127.0.0.1:<port>');
}
