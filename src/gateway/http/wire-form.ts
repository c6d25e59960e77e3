import * as z from 'zod';

/** A JSON Schema as it stands in the description. */
export type JsonSchema = Record<string, unknown>;

/**
 * What JSON Schema says of a value where its zod schema cannot: a query parameter is read from text, and a refinement
 * is code. The description takes this in place of what zod would derive.
 */
export const WIRE_FORM = z.registry<JsonSchema>();

/** The same for a field of `multipart/form-data`, where it differs from JSON: a file is no string there. */
export const FORM_FIELD = z.registry<JsonSchema>();
