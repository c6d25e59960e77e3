import { seededRandom } from './seeded-random.ts';
import { WORDS } from './word-list.ts';

/**
 * English bytes per token under o200k, in hundredths, of the text made here (kept by a test):
 * the rate at which a size in tokens becomes a size in bytes.
 */
export const BYTES_PER_TOKEN_HUNDREDTHS = 500;

/** Longer texts repeat themselves: the load engine makes each prompt when its call is due. */
const MOST_DRAWN_BYTES = 16_384;

/**
 * Text of exactly `bytes` bytes (ASCII), a function of the key alone. xk6/traffic makes the same text, so the order in
 * which words are drawn is part of what a seed means.
 */
export function promptText(bytes: number, ...key: readonly (string | number)[]): string {
  if (bytes <= 0) return '';
  const draw = fastDraw(seededRandom(...key).below(4_294_967_296));
  const drawn = Math.min(bytes, MOST_DRAWN_BYTES);
  let text = sentence(draw);
  while (text.length < drawn) text += `${draw(6) === 0 ? '\n\n' : ' '}${sentence(draw)}`;
  if (text.length < bytes) text = `${text}\n\n`.repeat(Math.ceil(bytes / text.length));
  return `${text.slice(0, bytes - 1)}.`;
}

/** An integer in [0, bound). */
type Draw = (bound: number) => number;

/** 32-bit xorshift: a 64-bit generator on BigInt would cost milliseconds a prompt. */
function fastDraw(seed: number): Draw {
  let state = seed >>> 0 || 0x9e3779b9;
  return (bound) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    state >>>= 0;
    return Math.floor((state / 4_294_967_296) * bound);
  };
}

function sentence(draw: Draw): string {
  const clauses = [clause(draw)];
  if (draw(2) === 0) clauses.push(`${pick(draw, WORDS.connectives)} ${clause(draw)}`);
  const body = clauses.join(draw(3) === 0 ? ', ' : ' ');
  const opener = draw(6);
  if (opener === 0) return `${pick(draw, WORDS.openers)}, ${body}.`;
  if (opener === 1) return `In ${pick(draw, WORDS.times)} ${body}.`;
  return `${body.charAt(0).toUpperCase()}${body.slice(1)}.`;
}

function clause(draw: Draw): string {
  const subject = actor(draw);
  switch (draw(4)) {
    case 0:
      return `${subject} ${pick(draw, WORDS.intransitives)} ${place(draw)}`;
    case 1:
      return `${subject} ${pick(draw, WORDS.adverbs)} ${pick(draw, WORDS.verbs)} ${thing(draw)}`;
    case 2:
      return `${subject} ${pick(draw, WORDS.verbs)} ${thing(draw)} ${place(draw)}`;
    default:
      return `${oneThing(draw)} was ${pick(draw, WORDS.adjectives)}`;
  }
}

function actor(draw: Draw): string {
  switch (draw(5)) {
    case 0:
      return pick(draw, ['he', 'she', 'they', 'we', 'I', 'it', 'nobody', 'everyone']);
    case 1:
      return `${pick(draw, WORDS.pluralDeterminers)} ${pick(draw, WORDS.plurals)}`;
    case 2:
      return thing(draw);
    default:
      return `the ${draw(2) === 0 ? `${pick(draw, WORDS.adjectives)} ` : ''}${pick(draw, WORDS.people)}`;
  }
}

function thing(draw: Draw): string {
  if (draw(4) === 0) return `${pick(draw, WORDS.pluralDeterminers)} ${pick(draw, WORDS.plurals)}`;
  return oneThing(draw);
}

function oneThing(draw: Draw): string {
  const noun =
    draw(3) === 0 ? `${pick(draw, WORDS.adjectives)} ${pick(draw, WORDS.nouns)}` : pick(draw, WORDS.nouns);
  const determiner = pick(draw, WORDS.determiners);
  const tail = draw(6) === 0 ? ` of the ${pick(draw, WORDS.nouns)}` : '';
  return `${determiner === 'a' && /^[aeiou]/.test(noun) ? 'an' : determiner} ${noun}${tail}`;
}

function place(draw: Draw): string {
  return `${pick(draw, WORDS.prepositions)} the ${pick(draw, WORDS.places)}`;
}

function pick(draw: Draw, list: readonly string[]): string {
  return list[draw(list.length)] ?? 'word';
}
