/** Whose way of serving usage and prices a target has; `plain` serves neither. */
export const DIALECTS = ['interface', 'new-api', 'litellm', 'plain'] as const;
export type Dialect = (typeof DIALECTS)[number];

/** What `target.dialect` takes: one of them, or `auto`, which looks. */
export const DIALECT_SETTINGS = ['auto', ...DIALECTS] as const;
export type DialectSetting = (typeof DIALECT_SETTINGS)[number];
