/** A selector of a query, with what stands around it. */
export interface Selector {
  readonly metric: string;
  /** Label to its matcher and value, as written. */
  readonly matchers: ReadonlyMap<string, string>;
  /** The range in brackets; null for an instant. */
  readonly range: string | null;
  /** The function that takes it directly; null where none does. */
  readonly call: string | null;
}

const KEYWORDS = new Set(
  'and or unless on ignoring by without group_left group_right offset bool inf nan'.split(' '),
);
const GROUPING = /\b(?:by|without|on|ignoring|group_left|group_right)\s*\(([^)]*)\)/g;

/**
 * Finds the selectors of a query: names that no parenthesis follows. It parses nothing else and assumes a query that
 * promtool accepts, with Grafana's variables in it.
 */
export function selectorsOf(expr: string): readonly Selector[] {
  const bare = blankOut(blankOut(expr, /"[^"]*"/g), GROUPING);
  return [...bare.matchAll(/(?<![\w:$"])([a-zA-Z_:][\w:]*)\s*(\{[^}]*\})?\s*(\[[^\]]*\])?/g)].flatMap(
    (match) => {
      const [whole, metric = '', braces, range] = match;
      const after = bare.slice(match.index + whole.length).trimStart();
      if (KEYWORDS.has(metric.toLowerCase()) || (braces === undefined && after.startsWith('('))) return [];
      if (inside(bare, match.index)) return [];
      const from = match.index + whole.indexOf('{');
      const written = braces === undefined ? '' : expr.slice(from, from + braces.length);
      return [
        {
          metric,
          matchers: matchersOf(written),
          range: range === undefined ? null : range.slice(1, -1),
          call: /([a-z_]\w*)\($/.exec(bare.slice(0, match.index).trimEnd())?.[1] ?? null,
        },
      ];
    },
  );
}

/** Labels that the query groups or joins by. */
export function groupedLabelsOf(expr: string): readonly string[] {
  return [...expr.matchAll(GROUPING)].flatMap(([, list = '']) =>
    list
      .split(',')
      .map((label) => label.trim())
      .filter((label) => label !== ''),
  );
}

function matchersOf(braces: string): ReadonlyMap<string, string> {
  return new Map(
    [...braces.matchAll(/([a-zA-Z_]\w*)\s*(=~|!~|!=|=)\s*"([^"]*)"/g)].map(
      ([, label = '', sign = '', value = '']) => [label, `${sign}${value}`],
    ),
  );
}

/** Same length, so that places stay what they are. */
function blankOut(text: string, what: RegExp): string {
  return text.replace(what, (found) => ' '.repeat(found.length));
}

/** Whether a place is within braces or brackets. */
function inside(text: string, place: number): boolean {
  const before = text.slice(0, place);
  const open = (left: string, right: string): boolean => before.lastIndexOf(left) > before.lastIndexOf(right);
  return open('{', '}') || open('[', ']');
}
