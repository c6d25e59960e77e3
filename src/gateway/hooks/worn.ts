import { nearestName } from '../../config/nearest-name.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';

/** The dialects that `--dialect` names, and the switches of each with what `--help` says of them. */
export const WORN_DIALECTS = {
  'new-api': {
    'error-rows': 'keeps a row of type 5 for each call that failed or was refused',
    'read-limit': 'answers 429 after 20 reads of /api/log/token in 20 minutes',
  },
  litellm: { 'stored-prompts': 'keeps the prompt in each row of /spend/logs' },
} as const satisfies Record<string, Readonly<Record<string, string>>>;
export type DialectName = keyof typeof WORN_DIALECTS;

/** The groups that a key may be in. */
export const KEY_GROUPS = ['default', 'plus', 'bulk'] as const;

/** What a gateway wears: a dialect and those of its switches that are on. */
export interface Worn {
  readonly name: DialectName;
  readonly switches: ReadonlySet<string>;
}

/** Reads `--dialect` and its `--quirks`; null: the interface. Throws `dialect_unknown` or `quirk_unknown`. */
export function readWorn(name: string, quirks: string): Worn | null {
  const wanted = quirks.split(',').filter((one) => one !== '');
  const dialect = dialectNamed(name);
  const known = dialect === null ? [] : Object.keys(WORN_DIALECTS[dialect]);
  for (const quirk of wanted) {
    if (known.includes(quirk)) continue;
    const near = nearestName(quirk, known);
    throw new WeighbridgeError({
      code: 'quirk_unknown',
      message: `expected a quirk of --dialect ${name}, found "${quirk}"${near === null ? '' : `; did you mean ${near}?`}`,
      hint: 'weighbridge gateway --help names them all',
    });
  }
  return dialect === null ? null : { name: dialect, switches: new Set(wanted) };
}

/** One line for each switch, as `--help` prints them. */
export function dialectLines(): readonly string[] {
  return Object.entries(WORN_DIALECTS).flatMap(([name, switches]) =>
    Object.entries(switches).map(([quirk, help]) => `  ${`${name} ${quirk}`.padEnd(28)}${help}`),
  );
}

function dialectNamed(name: string): DialectName | null {
  if (name === 'interface') return null;
  for (const known of ['new-api', 'litellm'] as const) if (known === name) return known;
  const near = nearestName(name, ['interface', ...Object.keys(WORN_DIALECTS)]);
  throw new WeighbridgeError({
    code: 'dialect_unknown',
    message: `expected interface, new-api or litellm, found "${name}"${near === null ? '' : `; did you mean ${near}?`}`,
    hint: 'docs/gateway.md tells what each of them serves',
  });
}
