import { createHash } from 'node:crypto';
import { escapeHtml } from '../../text/escape-html.ts';
import type { VerdictTone } from '../words/verdict-words.ts';
import { PAGE_STYLE } from './page-style.ts';

export interface PageParts {
  readonly title: string;
  /** Markup; its last element tells what changed, where scripts tell it. */
  readonly body: string;
  readonly scripts?: readonly string[];
  /** What comes before the style that all pages share. */
  readonly style?: string;
}

/** One file that asks for nothing from outside, which its own policy enforces. */
export function pageHtml({ title, body, scripts = [], style = '' }: PageParts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy(scripts)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${style}${PAGE_STYLE}</style>
</head>
<body>
${body}
${scripts.map((script) => `<script>${script}</script>\n`).join('')}</body>
</html>
`;
}

const SIGN: Readonly<Record<VerdictTone, string>> = { good: '✓', warning: '!', bad: '✗' };

/** The verdict in words, its sign for the eye alone. */
export function verdictHeading({
  tone,
  text,
}: {
  readonly tone: VerdictTone;
  readonly text: string;
}): string {
  return `<h1 class="${tone}"><span class="sign" aria-hidden="true">${SIGN[tone]}</span> ${escapeHtml(text)}</h1>`;
}

export function factList(facts: readonly (readonly [term: string, value: string])[]): string {
  const rows = facts.map(([term, value]) => `<dt>${escapeHtml(term)}</dt><dd>${escapeHtml(value)}</dd>`);
  return `<dl class="facts">\n${rows.join('\n')}\n</dl>`;
}

/** Nothing is loaded, and only the scripts written here run: an id that smuggles one in stays text. */
function contentPolicy(scripts: readonly string[]): string {
  const hashes = scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `script-src ${hashes.length === 0 ? "'none'" : hashes.join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
}
