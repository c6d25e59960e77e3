const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/g;

/** Keys that stand twice in one mapping of a well-formed JSON text: JSON.parse would keep the last in silence. */
export function duplicateKeys(text: string): readonly string[] {
  const open: (Set<string> | null)[] = [];
  const twice = new Set<string>();
  let last: string | null = null;
  for (const [token] of text.matchAll(TOKEN)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(null);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':' && last !== null) {
      const keys = open.at(-1);
      if (keys?.has(last) === true) twice.add(String(JSON.parse(last)));
      keys?.add(last);
    }
    last = token.startsWith('"') ? token : null;
  }
  return [...twice];
}
