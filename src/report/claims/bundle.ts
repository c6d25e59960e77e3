import { createHash } from 'node:crypto';
import { type Zippable, zipSync } from 'fflate';
import { compareText } from '../../core/compare-text.ts';
import { escapeHtml } from '../../text/escape-html.ts';
import { plural } from '../../text/plural.ts';
import { explainRow } from '../explain/explain-row.ts';
import { explainedRowLines } from '../explain/render-explanation.ts';
import { sectionHtml } from '../page/block-html.ts';
import { escapeMarkdown, markdownSection } from '../page/markdown.ts';
import { pageHtml } from '../page/page-html.ts';
import type { Block, Cell, Section } from '../sections/report-document.ts';
import type { BundleBook, BundleInput } from './bundle-input.ts';
import { claimsCsv, type ExplainedClaim } from './claims-csv.ts';
import { type Letter, letterOf } from './letter.ts';
import { MANIFEST, manifestOf } from './manifest.ts';
import { servedEvidence } from './served-evidence.ts';
import { type LetterKind, letterKind } from './untold-words.ts';

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
  const { apart, untold, charged } = input.claimable;
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
    charged,
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

/** An API key starts with `sk-` (interface §5); a shorter text, or one inside a word, is a name. */
const KEY = /(?<![A-Za-z0-9-])sk-[A-Za-z0-9_-]{16,}/g;

/** A text without anything that looks like an API key, whoever's it may be. */
function maskKeys(text: string): string {
  return text.replaceAll(KEY, '***');
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

/** What a bundle does not hold, as it is printed before it is written and as its letter says. */
function leftOut({
  fields,
  books,
}: {
  /** Fields of records beyond those documented. */
  readonly fields: number;
  /** Names of price books that hold what looks like a key. */
  readonly books: readonly string[];
}): readonly string[] {
  return [
    'API keys, access tokens, and the fingerprints of keys',
    'prompts, and the texts of answers and of error messages',
    'records, calls and reads of other requests; other prices are in the books as served',
    'account reads (balance, consumption), cursors of pages, and the plan, configuration and ledger of the run',
    fields === 0
      ? 'fields of records beyond those that are documented (none were served)'
      : `${plural(fields, 'field')} of records beyond those that are documented`,
    ...books.map((name) => `the price book ${name}: it holds what looks like a key`),
  ];
}

/** A zip of the files under one folder: the same files give the same bytes. */
function zipFiles(folder: string, files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  // A zip holds local time: the earliest moment that it can hold is the same digits in every zone.
  const mtime = new Date(1980, 0, 1);
  const held: Zippable = Object.fromEntries(
    [...files].map(([name, bytes]) => [`${folder}/${name}`, [bytes, { mtime, level: 9 }]]),
  );
  return zipSync(held);
}

/**
 * A section whose texts were masked while they are plain: once a form has escaped them (`sk-under\_score`), nothing finds a
 * key in them whole.
 */
function maskedSection({ id, title, blocks }: Section, mask: (text: string) => string): Section {
  return { id, title: mask(title), blocks: blocks.map((block) => maskedBlock(block, mask)) };
}

function maskedCell(cell: Cell, mask: (text: string) => string): Cell {
  return typeof cell === 'string' ? mask(cell) : { text: mask(cell.text), exact: mask(cell.exact) };
}

function maskedBlock(block: Block, mask: (text: string) => string): Block {
  switch (block.type) {
    case 'text':
    case 'code':
      return { ...block, text: mask(block.text) };
    case 'heading':
      return { ...block, text: mask(block.text), code: mask(block.code) };
    case 'copy':
      return { ...block, label: mask(block.label), text: mask(block.text) };
    case 'list':
      return { ...block, items: block.items.map(mask) };
    case 'table':
      return {
        ...block,
        table: {
          ...block.table,
          rows: block.table.rows.map((row) => row.map((cell) => maskedCell(cell, mask))),
        },
      };
    case 'fold': {
      const blocks = block.blocks.map((inner) => maskedBlock(inner, mask));
      return { ...block, summary: mask(block.summary), blocks };
    }
    case 'waterfall':
      return { ...block, steps: block.steps.map((step) => ({ ...step, label: mask(step.label) })) };
    case 'bars': {
      const rows = block.bars.rows.map((row) => ({ ...row, label: mask(row.label) }));
      return { ...block, bars: { ...block.bars, rows } };
    }
    case 'intervals':
    case 'curve':
    case 'charts':
      return block;
  }
}

/** letter.md */
function letterMarkdown({ title, sections }: Letter): string {
  return `${[`# ${escapeMarkdown(title)}`, ...sections.flatMap(markdownSection)].join('\n\n')}\n`;
}

/** letter.html: one file that asks for nothing from outside and runs no script. */
function letterHtml({ title, sections }: Letter): string {
  return pageHtml({
    title,
    body: `<header>
<h1>${escapeHtml(title)}</h1>
</header>
<main>
${sections.map((section) => sectionHtml(section, null)).join('\n')}
</main>`,
  });
}
