import { z } from 'zod';

/** The JSON Schema of a form of ours: strict when we write, open when others read, as later fields are added. */
export function openJsonSchema(
  schema: z.ZodType,
  { id, title }: { readonly id: string; readonly title: string },
): Readonly<Record<string, unknown>> {
  const open = z.toJSONSchema(schema, {
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    },
  });
  return { $id: id, title, ...open };
}
