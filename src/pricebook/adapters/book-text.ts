/** JSON or YAML of which every number is the text that stood there, so that no price passes through a double. */
export type BookText = string | boolean | null | readonly BookText[] | { readonly [key: string]: BookText };
