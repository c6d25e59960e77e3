import { type Document, isAlias, isCollection, isMap, isPair, isScalar, type Node } from 'yaml';
import { describeFound } from './problem.ts';

/** Where in the text a value stands. Offsets count UTF-16 units from the start of the file. */
export interface Place {
  /** Of the value, or of the nearest enclosing node where the path ends early. */
  readonly offset: number;
  readonly keyOffset: number;
  /** Undefined where nothing stands at the path. */
  readonly found: unknown;
  /** The same as an error shows it: a number as it was typed. */
  readonly shown: string;
}

/** The node at a path of the document, through aliases. */
export function locate(document: Document, path: readonly PropertyKey[]): Place {
  let node: Node | null | undefined = document.contents;
  let offset = node?.range?.[0] ?? 0;
  let keyOffset = offset;
  for (const part of path) {
    if (isAlias(node)) node = node.resolve(document);
    if (!isCollection(node)) return nothing(offset, keyOffset);
    const held: unknown = isMap(node)
      ? node.items.find((pair) => isScalar(pair.key) && String(pair.key.value) === String(part))
      : node.items[Number(part)];
    if (isPair(held)) {
      if (isScalar(held.key)) keyOffset = held.key.range?.[0] ?? keyOffset;
      node = isNodeValue(held.value) ? held.value : null;
    } else if (isNodeValue(held)) {
      node = held;
      keyOffset = held.range?.[0] ?? keyOffset;
    } else {
      return nothing(offset, keyOffset);
    }
    offset = node?.range?.[0] ?? keyOffset;
  }
  if (isAlias(node)) node = node.resolve(document);
  const found: unknown = node === null || node === undefined ? null : node.toJS(document);
  const typed = typeof found === 'number' && isScalar(node) ? node.source : undefined;
  return { offset, keyOffset, found, shown: typed ?? describeFound(found) };
}

function nothing(offset: number, keyOffset: number): Place {
  return { offset, keyOffset, found: undefined, shown: describeFound(undefined) };
}

function isNodeValue(value: unknown): value is Node {
  return isAlias(value) || isScalar(value) || isCollection(value);
}
