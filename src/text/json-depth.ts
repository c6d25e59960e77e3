const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [
  0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d,
];

/**
 * Tells without parsing it. A text is parsed at any depth, but millions of levels hold up the process for seconds and fill
 * its memory, and walking or writing what they hold overflows the stack.
 */
export function isDeeperThan(levels: number, text: string): boolean {
  // Every level is opened and closed.
  if (text.length < 2 * levels) return false;
  let level = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfText(text, at);
    else if (code === OPEN_LIST || code === OPEN_OBJECT) level += 1;
    else if (code === CLOSE_LIST || code === CLOSE_OBJECT) level -= 1;
    if (level > levels) return true;
  }
  return false;
}

/** Where the text that begins at a quote has its other one. */
function endOfText(text: string, start: number): number {
  for (let at = text.indexOf('"', start + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((at - before) % 2 === 1) return at;
  }
  return text.length;
}
