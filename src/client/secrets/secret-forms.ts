const BASE64 = '[A-Za-z0-9+/_-]';

/** A pattern of every form in which a text may hold a secret of visible ASCII. Nothing in it backtracks without bound. */
export function secretForms(secret: string): string {
  return [written(secret), hex(secret), ...[0, 1, 2].map((offset) => inBase64(secret, offset))].join('|');
}

/** As it is, or with any of its characters escaped for a URL, JSON or HTML, also more than once. */
function written(text: string): string {
  return (text.match(/\\+|[^\\]/g) ?? [])
    .map((part) => (part.startsWith('\\') ? backslashes(part.length) : character(part)))
    .join('');
}

/** A run of them as one: each for itself would try every way to share out those of a text. */
function backslashes(count: number): string {
  return `(?:\\\\u005[cC]|\\\\|%(?:25){0,3}5[cC]|&(?:amp;){0,3}#(?:92|[xX]5[cC]);){${count},${16 * count}}`;
}

function character(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const digits = anyCase(code.toString(16).padStart(2, '0'));
  const forms = [literal(char), `%(?:25){0,3}${digits}`, `\\\\{1,8}u00${digits}`];
  // HTML names these few; a number may stand for any.
  if ('"&\'<>'.includes(char)) forms.push('&(?:amp;){0,3}(?:quot|amp|apos|lt|gt);');
  forms.push(`&(?:amp;){0,3}#(?:0{0,3}${code}|[xX]0{0,3}${digits});`);
  return `(?:${forms.join('|')})`;
}

/** Quotes and slashes may stand behind backslashes. */
function literal(char: string): string {
  const plain = char.replace(/[\^$.*+?()[\]{}|]/, '\\$&');
  return char === '"' || char === '/' || char === "'" ? `\\\\{0,15}${plain}` : plain;
}

function hex(text: string): string {
  return anyCase(Buffer.from(text).toString('hex'));
}

/** In base64 of either alphabet. Characters at the ends that also carry bits of its neighbours are taken along. */
function inBase64(text: string, offset: number): string {
  const before = offset === 0 ? '' : `${BASE64}?`;
  const after = (offset + Buffer.byteLength(text)) % 3 === 0 ? '' : `${BASE64}?`;
  return `${before}${[...base64Core(text, offset)].map(base64Character).join('')}${after}`;
}

/** The characters that it alone decides where it stands `offset` bytes behind a group's start, as in `user:password`. */
export function base64Core(text: string, offset: number): string {
  const encoded = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]).toString('base64');
  const end = Math.floor(((offset + Buffer.byteLength(text)) * 4) / 3);
  return encoded.slice(Math.ceil((offset * 4) / 3), end);
}

function base64Character(char: string): string {
  if (char === '+') return '(?:\\+|-|%(?:25){0,3}2[bB])';
  return char === '/' ? '(?:\\\\{0,15}/|_|%(?:25){0,3}2[fF])' : char;
}

function anyCase(digits: string): string {
  return digits.replaceAll(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}
