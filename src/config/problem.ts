import { WeighbridgeError } from '../contracts/failure.ts';

/** One thing wrong with our input. */
export interface Problem {
  /** `file:line:col`, a flag or the name of an environment variable. */
  readonly at: string;
  /** Where in the document, such as `traffic[0].rate`; empty where `at` says it all. */
  readonly path: string;
  readonly rule: string;
  /** What stood there, masked; null where the rule says it all. */
  readonly found: string | null;
  readonly suggestion: string | null;
}

const MOST_SHOWN = 20;

/** The error of all problems of an input: one line each, exit code 2. */
export function configInvalid(
  problems: readonly Problem[],
  hint = 'Correct each line and run again.',
): WeighbridgeError {
  const lines = problems.slice(0, MOST_SHOWN).map(problemLine);
  const rest = problems.length - lines.length;
  if (rest > 0) lines.push(`… and ${rest} more`);
  return new WeighbridgeError({
    code: 'config_invalid',
    message: lines.join('\n'),
    hint,
  });
}

function problemLine(problem: Problem): string {
  const place = problem.path === '' ? problem.at : `${problem.at} ${problem.path}`;
  const found = problem.found === null ? '' : ` — found ${problem.found}`;
  const suggestion = problem.suggestion === null ? '' : `; ${problem.suggestion}`;
  return `${place}: ${problem.rule}${found}${suggestion}`;
}

/** `["traffic", 0, "rate"]` → `traffic[0].rate`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) => {
      if (typeof part === 'number') return `[${part}]`;
      const name = String(part);
      if (!/^[A-Za-z_][\w-]*$/.test(name)) return `[${JSON.stringify(name)}]`;
      return index === 0 ? name : `.${name}`;
    })
    .join('');
}

/** A value as an error may show it: short, and without what looks like a credential. */
export function describeFound(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `a list of ${value.length}`;
  if (value !== null && typeof value === 'object') return 'a mapping';
  if (typeof value === 'string') return JSON.stringify(cut(maskCredentials(value)));
  return String(value);
}

/** Hides keys (`sk-…`), bearer tokens, and the user, password and query of an address. */
export function maskCredentials(text: string): string {
  return text
    .replace(/\bsk-[\w-]{4,}/g, 'sk-***')
    .replace(/\bBearer\s+\S+/gi, 'Bearer ***')
    .replace(/:\/\/\S*@/g, '://***@')
    .replace(/[^\s/@:"]+:(?!\/\/)[^\s@"]+@/g, '***@')
    .replace(/(:\/\/[^\s?#]*)[?#]\S*/g, '$1?***');
}

function cut(text: string): string {
  return text.length <= 80 ? text : `${text.slice(0, 77)}…`;
}
