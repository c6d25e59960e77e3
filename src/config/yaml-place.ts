import { type Document, isAlias, isCollection, isMap, isPair, isScalar, type Node } from 'yaml';
import * as z from 'zod';
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

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** Names of the keys that a schema allows at a path of the document, in the branches of unions that the document chose. */
export function knownKeys(schema: z.ZodType, path: readonly PropertyKey[], document: unknown): string[] {
  const root: JsonSchema = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  let reached = alternatives(root, root);
  let value = document;
  for (const part of path) {
    const here = value;
    reached = reached
      .filter((node) => isChosen(node, here))
      .flatMap((node) => children(node, part))
      .flatMap((node) => alternatives(root, node));
    value = isKeyed(here) ? here[part] : undefined;
  }
  return [...new Set(reached.flatMap((node) => Object.keys(node.properties ?? {})))];
}

/** The node itself, what it refers to, and the branches of its unions. */
function alternatives(root: JsonSchema, node: JsonSchema): JsonSchema[] {
  const name = node.$ref?.replace(/^#\/\$defs\//, '');
  const referred = name === undefined ? undefined : name === '#' ? root : root.$defs?.[name];
  const nested = [...(node.anyOf ?? []), ...(node.oneOf ?? []), ...(node.allOf ?? [])];
  if (referred !== undefined && referred !== node) nested.push(referred);
  return [node, ...nested.flatMap((inner) => alternatives(root, inner))];
}

/** False for a branch whose fixed value of a key, such as the name of a fault, is not that of the document. */
function isChosen({ properties = {} }: JsonSchema, value: unknown): boolean {
  return Object.entries(properties).every(
    ([key, inner]) =>
      typeof inner !== 'object' || inner.const === undefined || !isKeyed(value) || value[key] === inner.const,
  );
}

function isKeyed(value: unknown): value is Readonly<Record<PropertyKey, unknown>> {
  return typeof value === 'object' && value !== null;
}

function children(node: JsonSchema, part: PropertyKey): JsonSchema[] {
  const inner =
    typeof part === 'number'
      ? [node.prefixItems?.[part] ?? node.items]
      : [node.properties?.[String(part)] ?? node.additionalProperties];
  return inner.flat().filter((schema): schema is JsonSchema => typeof schema === 'object');
}
