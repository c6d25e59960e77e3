/**
 * The forms in which a target may repeat a secret: one list for both languages, from which xk6/secret/forms_gen.go is made.
 * `test/corpus/secrets` holds an example of each with what must become of it.
 */

/** How API keys begin (interface §5). A target may repeat what stands behind it alone. */
export const KEY_PREFIX = 'sk-';

/**
 * What is shorter behind its prefix stands in texts by chance: it is sought as it is, between other characters than letters
 * and digits, and never encoded or cut. Without the prefix it may be any word, and is sought in sentences alone.
 */
export const LEAST_ENCODED = 12;

/** A text may have been cut within a secret. So much of the beginning of a form counts as one, in characters. */
export const LEAST_BEGINNING = 8;
/** With its prefix, and written as it is. */
export const LEAST_PREFIXED_BEGINNING = 4;

/** Escapes within escapes are taken off up to this depth. */
export const MOST_ESCAPE_LAYERS = 8;

/**
 * One escape of a visible character, of JSON, of a URL or of HTML. Its code stands in one of the first five groups, or in
 * decimal in the sixth, or its name in the seventh. What has none of them stands for nothing: backslashes, whose number
 * tells only in how many texts of texts they stand, and an escape that the end of the text cut.
 */
export const ESCAPE_PATTERN = [
  '(?:%[0-9a-fA-F]?|&#?[0-9a-zA-Z]{0,8})$',
  String.raw`\\+(?:u00([0-7][0-9a-fA-F])|u\{0*([0-7][0-9a-fA-F])\}|x([0-7][0-9a-fA-F])|u[0-9a-fA-F{]{0,4}$|x[0-9a-fA-F]?$)?`,
  '%([0-7][0-9a-fA-F])',
  '&(?:#[xX]0*([0-7][0-9a-fA-F]);?|#0*([0-9]{2,3});?|([a-zA-Z]{2,8});)',
].join('|');

/** The names that HTML has for visible ASCII, in small letters. */
export const HTML_NAMES: Readonly<Record<string, string>> = {
  amp: '&',
  apos: "'",
  ast: '*',
  bsol: '\\',
  colon: ':',
  comma: ',',
  commat: '@',
  dollar: '$',
  equals: '=',
  excl: '!',
  grave: '`',
  gt: '>',
  hat: '^',
  lbrace: '{',
  lbrack: '[',
  lcub: '{',
  lowbar: '_',
  lpar: '(',
  lsqb: '[',
  lt: '<',
  midast: '*',
  num: '#',
  percnt: '%',
  period: '.',
  plus: '+',
  quest: '?',
  quot: '"',
  rbrace: '}',
  rbrack: ']',
  rcub: '}',
  rpar: ')',
  rsqb: ']',
  semi: ';',
  sol: '/',
  underbar: '_',
  verbar: '|',
  vert: '|',
};
