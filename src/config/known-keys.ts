import * as z from 'zod';

type JsonSchema = z.core.JSONSchema.JSONSchema;

/** Names of the keys that a schema allows at a path of the document. */
export function knownKeys(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const root: JsonSchema = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  let reached = alternatives(root, root);
  for (const part of path) {
    reached = reached.flatMap((node) => children(node, part)).flatMap((node) => alternatives(root, node));
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

function children(node: JsonSchema, part: PropertyKey): JsonSchema[] {
  const inner =
    typeof part === 'number'
      ? [node.prefixItems?.[part] ?? node.items]
      : [node.properties?.[String(part)] ?? node.additionalProperties];
  return inner.flat().filter((schema): schema is JsonSchema => typeof schema === 'object');
}
