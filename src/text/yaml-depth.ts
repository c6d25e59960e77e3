/** What a reader of YAML makes first of a text: documents, collections and scalars, each where it begins. */
export interface YamlToken {
  readonly type: string;
  readonly offset: number;
  /** Of a collection. */
  readonly items?: readonly {
    readonly key?: YamlToken | null | undefined;
    readonly value?: YamlToken | undefined;
  }[];
  /** Of a document. */
  readonly value?: YamlToken | undefined;
}

interface Nested {
  readonly token: YamlToken;
  readonly level: number;
}

/**
 * Where a YAML text is nested deeper than so many levels; null where it is not. What composes and walks it calls itself
 * for each level, and would end where the stack happens to.
 */
export function offsetDeeperThan(levels: number, tokens: Iterable<YamlToken>): number | null {
  for (const token of tokens) {
    // A list of what is left to do, in place of calls.
    const open = insideOf({ token, level: 0 });
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      if (next.level > levels) return next.token.offset;
      open.push(...insideOf(next));
    }
  }
  return null;
}

/** The first of them last, as it is to be looked at next. */
function insideOf({ token, level }: Nested): Nested[] {
  const inside = [token.value, ...(token.items ?? []).flatMap(({ key, value }) => [key, value])];
  return inside
    .filter((inner) => inner !== null && inner !== undefined)
    .map((inner) => ({ token: inner, level: level + (inner.items === undefined ? 0 : 1) }))
    .reverse();
}
