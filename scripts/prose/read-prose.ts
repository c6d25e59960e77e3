import type { AnyTxtNode } from '@textlint/ast-node-types';
import { parse } from '@textlint/markdown-to-ast';
import { type Engine, fromYAMLFilePath } from 'prh';
import { SentenceSplitterSyntax, split } from 'sentence-splitter';

export interface Sentence {
  readonly line: number;
  readonly words: number;
  readonly text: string;
}

export interface Prose {
  readonly sentences: readonly Sentence[];
  /** Words that docs/style.md replaces. */
  readonly riddles: readonly { readonly line: number; readonly found: string; readonly write: string }[];
}

export type WordList = Engine;

/** Reads a word list; an entry whose examples (`specs`) it does not change is an error. */
export const readWordList = (file: string): WordList => fromYAMLFilePath(file);

/** Reads a page in Markdown: sentences of paragraphs and list items; riddles in headings and tables, too. */
export function readProse(text: string, words: WordList): Prose {
  const nodes = [...nodesOf(parse(text))];
  return {
    sentences: nodes.filter(({ type }) => type === 'Paragraph').flatMap(sentencesOf),
    riddles: nodes
      .filter(({ type }) => ['Paragraph', 'Header', 'TableCell'].includes(type))
      .flatMap((node) => riddlesOf(node, words)),
  };
}

function* nodesOf(node: AnyTxtNode): Iterable<AnyTxtNode> {
  yield node;
  for (const child of childrenOf(node)) yield* nodesOf(child);
}

function childrenOf(node: AnyTxtNode): readonly AnyTxtNode[] {
  return 'children' in node ? node.children : [];
}

/** Splits a row of links (`[a](a.md) · [b](b.md)`) at its dots, as each is a phrase of its own. */
function sentencesOf(paragraph: AnyTxtNode): readonly Sentence[] {
  return split(proseOf(paragraph))
    .filter(({ type }) => type === SentenceSplitterSyntax.Sentence)
    .flatMap(({ raw, loc }) =>
      raw
        .split(' · ')
        .map((phrase) => phrase.replace(/\s+/g, ' ').trim())
        .map((phrase) => ({
          line: paragraph.loc.start.line + loc.start.line - 1,
          words: wordsOf(phrase),
          text: phrase,
        })),
    )
    .filter(({ words }) => words > 0);
}

function riddlesOf(node: AnyTxtNode, words: WordList): Prose['riddles'] {
  const prose = proseOf(node);
  return words
    .makeChangeSet('', prose.replaceAll('\n', ' '))
    .diffs.map(({ index, matches, newText, rule }) => ({
      line: node.loc.start.line + prose.slice(0, index).split('\n').length - 1,
      found: matches[0] ?? '',
      write: [newText ?? '', rule?.raw.prh ?? ''].filter((part) => part !== '').join('. '),
    }));
}

/** Gives the words of a node; inline code counts as one word, however long the command is. */
function proseOf(node: AnyTxtNode): string {
  if (node.type === 'Code') return '`…`';
  if (node.type === 'Str' && 'value' in node) return String(node.value);
  return node.type === 'Break' ? '\n' : childrenOf(node).map(proseOf).join('');
}

function wordsOf(phrase: string): number {
  return phrase.split(' ').filter((word) => /[\p{L}\p{N}]|`…`/u.test(word)).length;
}
