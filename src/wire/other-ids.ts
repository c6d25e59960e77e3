import { asObject } from './json-fields.ts';
import {
  ID_MARKS,
  LEAST_OTHER_ID,
  MOST_OTHER_ID,
  MOST_OTHER_IDS,
  NEVER_IDS,
  SECRET_NAMES,
} from './request-ids.ts';

/** Texts of an answer that may be its id, by the header or field that told them. */
export type OtherIds = Readonly<Record<string, string>>;

export interface ToldTexts {
  /** Names in small letters. */
  readonly headers: Iterable<readonly [string, string]>;
  /** The body, the first event of a stream, or the body of a refusal. */
  readonly document: unknown;
  /** Ids that the row has elsewhere. */
  readonly known: readonly (string | null)[];
}

/**
 * Keeps what a gateway may have named the request by. No name decides it: which of these headers and fields tells the id is
 * learnt later, from the usage records.
 */
export function otherIds(
  { headers, document, known }: ToldTexts,
  clean: (text: string) => string | null,
): OtherIds | null {
  const body = asObject(document);
  const places = [
    ...[...headers].map(([name, text]) => ['header', name, text] as const),
    ...Object.entries(body ?? {}).map(([name, text]) => ['body', name, text] as const),
    ...Object.entries(asObject(body?.['error']) ?? {}).map(([name, text]) => ['error', name, text] as const),
  ];
  const kept = places
    .filter(([, name]) => mayNameId(name))
    .flatMap(([where, name, text]): readonly (readonly [string, string])[] => {
      if (typeof text !== 'string' || !isIdShaped(text) || known.includes(text)) return [];
      // What repeats a key is no id.
      return [text, name].every((each) => clean(each) === each) ? [[`${where}:${name}`, text]] : [];
    })
    .sort(([left], [right]) => (left < right ? -1 : 1));
  return kept.length === 0 ? null : Object.fromEntries(kept.slice(0, MOST_OTHER_IDS));
}

const MOST_NAME = 64;
const NEVER: ReadonlySet<string> = new Set(NEVER_IDS);

function mayNameId(name: string): boolean {
  const low = name.toLowerCase();
  if (!/^[a-z0-9_.-]+$/.test(low) || low.length > MOST_NAME || NEVER.has(low)) return false;
  return !SECRET_NAMES.some((word) => low.includes(word));
}

/** One word of letters, digits and marks, with a digit: no sentence, and no word of a language. */
function isIdShaped(text: string): boolean {
  if (text.length < LEAST_OTHER_ID || text.length > MOST_OTHER_ID) return false;
  let hasDigit = false;
  for (const char of text) {
    if (char >= '0' && char <= '9') hasDigit = true;
    else if (!/[A-Za-z]/.test(char) && !ID_MARKS.includes(char)) return false;
  }
  return hasDigit;
}
