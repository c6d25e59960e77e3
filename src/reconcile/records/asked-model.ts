/** Spellings of one model that records use, narrowest first: its case, a provider before it, the date of a snapshot. */
const SPELLINGS: readonly ((name: string) => string)[] = [
  (name) => name.toLowerCase(),
  (name) => name.toLowerCase().replace(/^.*\//, ''),
  (name) =>
    name
      .toLowerCase()
      .replace(/^.*\//, '')
      .replace(/-(?:\d{4}-\d{2}-\d{2}|\d{8})$/, ''),
];

/** True where two names may be spellings of one model. */
export function isOneModel(left: string, right: string): boolean {
  return SPELLINGS.some((spell) => spell(left) === spell(right));
}

/** Gives the known name that a record's model stands for, or the record's own where none or several may be meant. */
export function askedModels(known: Iterable<string>): (recorded: string) => string {
  const names = new Set(known);
  const bySpelling = SPELLINGS.map((spell) => ({ spell, named: Map.groupBy(names, spell) }));
  return (recorded) => {
    if (names.has(recorded)) return recorded;
    for (const { spell, named } of bySpelling) {
      const [first, ...others] = named.get(spell(recorded)) ?? [];
      if (first !== undefined) return others.length === 0 ? first : recorded;
    }
    return recorded;
  };
}
