import { readFileSync } from 'node:fs';
import { isCollection, LineCounter, Parser, parseDocument, visit } from 'yaml';
import type * as z from 'zod';
import { offsetDeeperThan } from '../text/yaml-depth.ts';
import { nearestName } from './nearest-name.ts';
import { configInvalid, describeFound, formatPath, maskCredentials, type Problem } from './problem.ts';
import { requiredKeys } from './required-keys.ts';
import { ruleText } from './rule-text.ts';
import { knownKeys, locate, type Place } from './yaml-place.ts';

export interface YamlSource {
  readonly text: string;
  /** Name of the file as the user knows it; stands before each error. */
  readonly file: string;
}

type Document = ReturnType<typeof parseDocument>;
type Path = readonly PropertyKey[];

/** Far deeper than any configuration, far less than exhausts the stack. */
const MOST_LEVELS = 100;

/**
 * Reads one YAML document strictly. Throws `config_invalid` (exit 2) with a line
 * `file:line:col path: rule — found X; did you mean "nearest"?` for each problem.
 */
export function readYaml<T>(source: YamlSource, schema: z.ZodType<T>): T {
  const lines = new LineCounter();
  const at = (offset: number | undefined): string => {
    const { line, col } = lines.linePos(offset ?? 0);
    return `${source.file}:${Math.max(1, line)}:${Math.max(1, col)}`;
  };
  const { document, value } = parse(source, lines, at);
  if (value === null) throw configInvalid([emptyFile(schema, at(0))]);
  const result = schema.safeParse(value, { error: ruleText, reportInput: false });
  if (result.success) return result.data;
  const located = result.error.issues
    .flatMap((issue) => leafIssues(issue, []))
    .flatMap((leaf) => problemsOf(document, schema, leaf, at));
  throw configInvalid(
    located.sort((left, right) => left.offset - right.offset).map(({ problem }) => problem),
  );
}

/** `file:line:col` of the value at a path of a file that was read; the file alone where it can be read no more. */
export function placeInFile(file: string, path: Path): string {
  try {
    const lines = new LineCounter();
    const document = parseDocument(readFileSync(file, 'utf8'), { lineCounter: lines, logLevel: 'silent' });
    const { line, col } = lines.linePos(locate(document, path).offset);
    return `${file}:${Math.max(1, line)}:${Math.max(1, col)}`;
  } catch {
    return file;
  }
}

function parse(
  source: YamlSource,
  lines: LineCounter,
  at: (offset: number | undefined) => string,
): { document: Document; value: unknown } {
  const syntax = (offset: number, rule: string): Problem => {
    return { at: at(offset), path: '', rule: maskCredentials(rule), found: null, suggestion: null };
  };
  // Also finds the lines, for places in the file.
  const tooDeep = offsetDeeperThan(MOST_LEVELS, new Parser(lines.addNewLine).parse(source.text));
  if (tooDeep !== null)
    throw configInvalid([syntax(tooDeep, `must be nested at most ${MOST_LEVELS} levels deep`)]);
  let document: Document;
  try {
    document = parseDocument(source.text, {
      prettyErrors: false,
      schema: 'core',
      resolveKnownTags: false,
      logLevel: 'error',
    });
  } catch (cause) {
    throw configInvalid([
      syntax(0, `not readable as YAML: ${cause instanceof Error ? cause.message : 'unknown'}`),
    ]);
  }
  const faults = [...document.errors, ...document.warnings].map((fault) =>
    syntax(fault.pos[0], fault.code === 'MULTIPLE_DOCS' ? 'must be a single document' : fault.message),
  );
  // A slip in the syntax makes the parser stumble on: what follows the first two says nothing new.
  faults.splice(2);
  if (document.directives?.yaml.explicit === true && document.directives.yaml.version !== '1.2') {
    faults.push(syntax(0, `must be YAML 1.2 — found a %YAML ${document.directives.yaml.version} directive`));
  }
  if (faults.length === 0) faults.push(...unsafeNodes(document, syntax));
  if (faults.length > 0) throw configInvalid(faults);
  try {
    return { document, value: document.toJS() };
  } catch {
    // The parser's own limit: a few short lines of aliases must not unfold to gigabytes.
    throw configInvalid([syntax(0, 'its aliases unfold too far')]);
  }
}

/** Keys that are not plain values, and aliases that have no anchor or stand inside their own. */
function unsafeNodes(document: Document, syntax: (offset: number, rule: string) => Problem): Problem[] {
  const faults: Problem[] = [];
  visit(document, {
    Pair(_, pair) {
      if (isCollection(pair.key))
        faults.push(syntax(pair.key.range?.[0] ?? 0, 'a key must be a plain value'));
    },
    Alias(_, alias, ancestors) {
      const anchored = alias.resolve(document);
      if (anchored !== undefined && !ancestors.includes(anchored)) return;
      const rule = anchored === undefined ? 'has no anchor before it' : 'stands inside its own anchor';
      faults.push(syntax(alias.range?.[0] ?? 0, `the alias *${alias.source} ${rule}`));
    },
  });
  return faults;
}

function emptyFile(schema: z.ZodType, at: string): Problem {
  const least = requiredKeys(schema).map(({ key, only }) => `${key}: ${only ?? '…'}`);
  const rule = `the file is empty${least.length === 0 ? '' : `; the least it must hold is "${least.join('", "')}"`}`;
  return { at, path: '', rule, found: null, suggestion: null };
}

interface Leaf {
  readonly issue: z.core.$ZodIssue;
  /** From the document's root. */
  readonly path: Path;
  /** True where the key at the path is wrong, not its value. */
  readonly ofKey: boolean;
}

/** The issues inside unions and keys, with their whole path. */
function leafIssues(issue: z.core.$ZodIssue, base: Path): Leaf[] {
  const path = [...base, ...issue.path];
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    // The branch that got furthest is the one that was meant.
    const depth = (branch: readonly z.core.$ZodIssue[]): number =>
      Math.min(...branch.map((inner) => inner.path.length + (inner.code === 'unrecognized_keys' ? 1 : 0)));
    const best = issue.errors.reduce((left, right) => (depth(right) > depth(left) ? right : left));
    return best.flatMap((inner) => leafIssues(inner, path));
  }
  if (issue.code === 'invalid_key') return issue.issues.map((inner) => ({ issue: inner, path, ofKey: true }));
  return [{ issue, path, ofKey: false }];
}

function problemsOf(
  document: Document,
  schema: z.ZodType,
  { issue, path, ofKey }: Leaf,
  at: (offset: number | undefined) => string,
): { offset: number; problem: Problem }[] {
  if (issue.code !== 'unrecognized_keys') {
    const place = locate(document, path);
    const offset = ofKey ? place.keyOffset : place.offset;
    const near = issue.code === 'invalid_value' ? nearestValue(place.found, issue.values) : null;
    const problem: Problem = {
      at: at(offset),
      path: ofKey ? formatPath(path.slice(0, -1)) : formatPath(path) || 'document',
      rule: issue.message,
      found: ofKey ? describeFound(path.at(-1)) : shownFor(issue, place),
      suggestion: near,
    };
    return [{ offset, problem }];
  }
  const known = knownKeys(schema, path, document.toJS());
  return issue.keys.map((key) => {
    const near = nearestName(key, known);
    const suggestion = near === null ? `known keys: ${known.join(', ')}` : `did you mean "${near}"?`;
    const { keyOffset } = locate(document, [...path, key]);
    const problem: Problem = {
      at: at(keyOffset),
      path: maskCredentials(formatPath([...path, key])),
      rule: 'unknown key',
      found: describeFound(key),
      suggestion: known.length === 0 ? null : suggestion,
    };
    return { offset: keyOffset, problem };
  });
}

/** A rule about a whole mapping or list says it all; what may be a secret is not shown. */
function shownFor(issue: z.core.$ZodIssue, place: Place): string | null {
  if (issue.code === 'custom' && issue.params?.['secret'] === true) return null;
  return issue.code === 'custom' && typeof place.found === 'object' ? null : place.shown;
}

function nearestValue(found: unknown, values: readonly unknown[]): string | null {
  const near = typeof found === 'string' ? nearestName(found, values.map(String)) : null;
  return near === null ? null : `did you mean "${near}"?`;
}
