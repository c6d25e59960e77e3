import {
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  Parser,
  parseDocument,
} from 'yaml';
import { offsetDeeperThan } from '../../text/yaml-depth.ts';
import type { BookText } from './book-text.ts';

/** A YAML document whose numbers are the text that stood there, with the place of every value. */
export interface YamlText {
  readonly value: BookText;
  /** `line 3, column 5` of the value at a path, or of the nearest one around it. */
  at(path: readonly PropertyKey[]): string;
}

/** Deeper than any book, as in JSON. */
const MOST_LEVELS = 200;

/** Reads one YAML document; what is wrong is told by line and column. */
export function yamlText(text: string): YamlText | { readonly unreadable: readonly string[] } {
  const lines = new LineCounter();
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset);
    return `line ${Math.max(1, line)}, column ${Math.max(1, col)}`;
  };
  let document: Document.Parsed;
  try {
    document = parseDocument(text, {
      lineCounter: lines,
      prettyErrors: false,
      schema: 'core',
      resolveKnownTags: false,
      logLevel: 'silent',
    });
  } catch (cause) {
    return { unreadable: [`not readable as YAML: ${cause instanceof Error ? cause.message : 'unknown'}`] };
  }
  const faults = [...document.errors, ...document.warnings];
  if (faults.length > 0) {
    // Looked for here alone: in a long book it takes half as long again as the reading.
    const tooDeep = offsetDeeperThan(MOST_LEVELS, new Parser().parse(text));
    if (tooDeep !== null)
      return { unreadable: [`${place(tooDeep)}: expected at most ${MOST_LEVELS} levels, found more`] };
    return { unreadable: faults.slice(0, 2).map((fault) => `${place(fault.pos[0])}: ${fault.message}`) };
  }
  const value = textOf(document.contents);
  if (value === undefined)
    return { unreadable: ['expected plain keys and values, without anchors and aliases'] };
  return { value, at: (path) => place(offsetOf(document.contents, path)) };
}

/** Undefined for what a price list has no use for: aliases, keys that are no plain values. */
function textOf(node: Node | null): BookText | undefined {
  if (node === null) return null;
  if (isScalar(node)) {
    const { value, source } = node;
    if (value === null || typeof value === 'boolean') return value;
    return typeof value === 'number' ? (source ?? String(value)) : String(value);
  }
  if (isSeq(node)) {
    const items = node.items.map((item) => textOf(nodeOf(item)));
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  if (!isMap(node)) return undefined;
  const entries: [string, BookText][] = [];
  for (const { key, value } of node.items) {
    const held = textOf(nodeOf(value));
    if (!isScalar(key) || held === undefined) return undefined;
    entries.push([String(key.source ?? key.value), held]);
  }
  return Object.fromEntries(entries);
}

function offsetOf(root: Node | null, path: readonly PropertyKey[]): number {
  let node = root;
  let offset = node?.range?.[0] ?? 0;
  for (const part of path) {
    const held: unknown = isMap(node)
      ? node.items.find(({ key }) => isScalar(key) && String(key.value) === String(part))?.value
      : isSeq(node)
        ? node.items[Number(part)]
        : null;
    node = nodeOf(held);
    offset = node?.range?.[0] ?? offset;
  }
  return offset;
}

function nodeOf(value: unknown): Node | null {
  return isScalar(value) || isMap(value) || isSeq(value) || isAlias(value) ? value : null;
}
