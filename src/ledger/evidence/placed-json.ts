/** A JSON document whose objects know their lines. */
export interface PlacedJson {
  readonly value: unknown;
  /** Line of an object's opening brace, from 1; 1 where it is not known. */
  lineOf(object: object): number;
}

/** Throws SyntaxError for a text that is no JSON. */
export function parsePlacedJson(text: string): PlacedJson {
  const value: unknown = JSON.parse(text);
  const lines = braceLines(text);
  const lineOf = new Map<object, number>();
  // Objects come in the order of their braces, unless members of a name stand twice or names are numbers.
  const objects = objectsOf(value);
  if (objects.length === lines.length) {
    objects.forEach((object, index) => {
      lineOf.set(object, lines[index] ?? 1);
    });
  }
  return { value, lineOf: (object) => lineOf.get(object) ?? 1 };
}

const MARK = /["{\n]/g;
const STRING_END = /(?:[^"\\]|\\.)*"/gsy;

/** Lines of all opening braces outside strings. */
function braceLines(text: string): number[] {
  const lines: number[] = [];
  let line = 1;
  MARK.lastIndex = 0;
  for (let mark = MARK.exec(text); mark !== null; mark = MARK.exec(text)) {
    if (mark[0] === '\n') line += 1;
    else if (mark[0] === '{') lines.push(line);
    else {
      STRING_END.lastIndex = MARK.lastIndex;
      if (!STRING_END.test(text)) return lines;
      MARK.lastIndex = STRING_END.lastIndex;
    }
  }
  return lines;
}

function objectsOf(value: unknown): object[] {
  const objects: object[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next)) objects.push(next);
    open.push(...Object.values(next).reverse());
  }
  return objects;
}
