import { createHash } from 'node:crypto';
import { compareText } from '../../core/compare-text.ts';
import { explainRow } from '../explain/explain-row.ts';
import { explainedRowLines } from '../explain/render-explanation.ts';
import type { BundleBook, BundleInput } from './bundle-input.ts';
import { claimsCsv, type ExplainedClaim } from './claims-csv.ts';
import { leftOut } from './left-out.ts';
import { letterOf } from './letter.ts';
import { MANIFEST, manifestOf } from './manifest.ts';
import { maskKeys } from './mask-keys.ts';
import { maskedSection } from './masked-section.ts';
import { letterHtml, letterMarkdown } from './render-letter.ts';
import { servedEvidence } from './served-evidence.ts';
import { type LetterKind, letterKind } from './untold-words.ts';
import { zipFiles } from './zip-files.ts';

export interface Bundle {
  readonly id: string;
  readonly kind: LetterKind;
  readonly zip: Uint8Array;
  /** Names of its files, the manifest last. */
  readonly files: readonly string[];
  readonly left_out: readonly string[];
}

/** What is sent to the support of a gateway. There must be a claim. */
export function bundle(input: BundleInput): Bundle {
  const claims = input.claimable.claims
    .map((each): ExplainedClaim => ({ ...each, explained: explainRow(each.row, input.books) }))
    .toSorted((left, right) => compareText(left.claim.id, right.claim.id));
  const { apart, untold } = input.claimable;
  const kind = letterKind(untold);
  const id = idOf(input, claims);
  const used = new Set(claims.flatMap(({ explained }) => explained.price.book?.sha256 ?? []));
  const books = input.books.filter(({ sha256 }) => used.has(sha256));
  const clean = books.filter((book) => !holdsKey(book, input.mask));
  const evidence = servedEvidence({ ...input, books });
  const left_out = leftOut({
    fields: evidence.fields_left_out,
    books: books.filter((book) => !clean.includes(book)).map(({ name }) => name),
  });
  const mask = (text: string): string => maskKeys(input.mask(text));
  const { title, sections } = letterOf({
    id,
    claims,
    apart,
    untold,
    result: input.result,
    books,
    reads: input.reads,
    left_out,
  });
  const letter = { title, sections: sections.map((section) => maskedSection(section, mask)) };
  const texts: Readonly<Record<string, string>> = {
    'letter.md': letterMarkdown(letter),
    'letter.html': letterHtml(letter),
    [`${kind}s.csv`]: claimsCsv(kind, claims, mask),
    'explanations.txt': claims.map((each) => explanationText(each, input.result.basis)).join('\n'),
    'evidence/records.ndjson': ndjson(evidence.records),
    'evidence/reads.ndjson': ndjson(evidence.reads),
  };
  const files = new Map<string, Uint8Array>([
    ...Object.entries(texts).map(([name, text]) => [name, bytesOf(mask(text))] as const),
    ...clean.map(({ name, bytes }) => [`books/${name}`, bytes] as const),
  ]);
  files.set(MANIFEST, bytesOf(manifestOf(files)));
  const zip = zipFiles(`weighbridge-${kind}-${id}`, files);
  return { id, kind, zip, files: [...files.keys()], left_out };
}

/** Of the claims and the books alone: the same claims are the same bundle. */
function idOf({ result, books }: BundleInput, claims: readonly ExplainedClaim[]): string {
  const parts = [
    result.run_id,
    claims.map(({ claim }) => [claim.id, claim.amount, claim.demanded]),
    books.map(({ sha256 }) => sha256),
  ];
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12);
}

/** A book goes in as it was served, or not at all: with a part masked its hash would be another. */
function holdsKey({ bytes }: BundleBook, mask: BundleInput['mask']): boolean {
  const served = new TextDecoder().decode(bytes);
  return maskKeys(mask(served)) !== served;
}

function explanationText(
  { claim, explained }: ExplainedClaim,
  basis: BundleInput['result']['basis'],
): string {
  const head = claim.demanded ? `claim       ${claim.id} · $${claim.amount}` : `question    ${claim.id}`;
  return [head, ...explainedRowLines(explained, { basis }), ''].join('\n');
}

function ndjson(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
