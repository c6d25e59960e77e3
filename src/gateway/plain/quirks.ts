import { nearestName } from '../../config/nearest-name.ts';
import { WeighbridgeError } from '../../contracts/failure.ts';

/** Manners of real servers that need no more than their name, each as `--help` tells it. */
export const FLAG_QUIRKS = {
  'no-stream-options': 'refuses stream_options with 400, as old vLLM does',
  'no-done': 'ends a stream without [DONE]',
  'needs-key': 'answers 401 without the key of the ready line',
  'models-array': 'lists models as a bare array',
  'no-models': 'has no model list (404)',
  'max-completion-tokens-only': 'refuses max_tokens in chat with 400 that names max_completion_tokens',
  'max-tokens-only': 'refuses max_completion_tokens in chat with 400 that names max_tokens',
  'no-usage': 'tells no usage, in answers and in streams',
  'usage-always': 'tells usage in the last chunk of a stream without being asked',
  'reasoning-content': 'sends reasoning_content before the content of a chat',
} as const;
type FlagQuirk = keyof typeof FLAG_QUIRKS;

/** Those that take a value, which `--quirks` writes as name=value. */
export const VALUE_QUIRKS = {
  'base-path': { takes: '/PATH', pattern: /^(\/[\w.-]+)+$/, help: 'serves below /PATH instead of /v1' },
  'refuse-all': { takes: 'STATUS', pattern: /^[45]\d\d$/, help: 'answers every request with this status' },
  'slow-first-token': { takes: 'MS', pattern: /^\d{1,6}$/, help: 'sends the first token after so many ms' },
} as const;
type ValueQuirk = keyof typeof VALUE_QUIRKS;

export interface Quirks {
  readonly flags: ReadonlySet<FlagQuirk>;
  readonly values: ReadonlyMap<ValueQuirk, string>;
}

/** No server can have both of a pair. */
const EITHER: readonly (readonly [FlagQuirk, FlagQuirk])[] = [
  ['models-array', 'no-models'],
  ['max-completion-tokens-only', 'max-tokens-only'],
  ['no-usage', 'usage-always'],
];

/** Reads `a,b=value`; throws `quirk_unknown` or `quirk_invalid`. */
export function readQuirks(list: string): Quirks {
  const flags = new Set<FlagQuirk>();
  const values = new Map<ValueQuirk, string>();
  for (const written of list.split(',').filter((one) => one !== '')) {
    const [name = '', value] = written.split(/=(.*)/s);
    if (isFlag(name)) {
      if (value !== undefined) throw invalid(`expected ${name} without a value, found "${written}"`);
      flags.add(name);
    } else if (isValued(name)) {
      const { takes, pattern } = VALUE_QUIRKS[name];
      if (value === undefined || !pattern.test(value))
        throw invalid(`expected ${name}=${takes}, found "${written}"`);
      values.set(name, value);
    } else throw unknown(name);
  }
  for (const [one, other] of EITHER) {
    if (flags.has(one) && flags.has(other)) throw invalid(`expected ${one} or ${other}, found both`);
  }
  return { flags, values };
}

/** One line for each, as `--help` prints them. */
export function quirkLines(): readonly string[] {
  const valued = Object.entries(VALUE_QUIRKS).map(
    ([name, { takes, help }]) => [`${name}=${takes}`, help] as const,
  );
  return [...Object.entries(FLAG_QUIRKS), ...valued].map(([name, help]) => `  ${name.padEnd(28)}${help}`);
}

function isFlag(name: string): name is FlagQuirk {
  return Object.hasOwn(FLAG_QUIRKS, name);
}

function isValued(name: string): name is ValueQuirk {
  return Object.hasOwn(VALUE_QUIRKS, name);
}

function unknown(name: string): WeighbridgeError {
  const near = nearestName(name, [...Object.keys(FLAG_QUIRKS), ...Object.keys(VALUE_QUIRKS)]);
  return new WeighbridgeError({
    code: 'quirk_unknown',
    message: `expected a quirk, found "${name}"${near === null ? '' : `; did you mean ${near}?`}`,
    hint: 'weighbridge gateway --help names them all',
  });
}

function invalid(message: string): WeighbridgeError {
  return new WeighbridgeError({
    code: 'quirk_invalid',
    message,
    hint: 'weighbridge gateway --help shows each',
  });
}
