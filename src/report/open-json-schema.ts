import { z } from 'zod';
import { RESULT_SCHEMA, resultSchema } from '../contracts/result.ts';

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

/** JSON Schema of `result.json`, as committed in result.schema.json. */
export function resultJsonSchema(): Readonly<Record<string, unknown>> {
  return openJsonSchema(resultSchema, { id: RESULT_SCHEMA, title: 'Weighbridge result' });
}
