import * as z from 'zod';

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
