import { escapeHtml } from '../../core/escape-html.ts';
import { escapeMarkdown, markdownSection } from '../markdown.ts';
import { sectionHtml } from '../page/block-html.ts';
import { contentPolicy } from '../page/content-policy.ts';
import { PAGE_STYLE } from '../page/page-style.ts';
import type { Letter } from './letter.ts';

/** letter.md */
export function letterMarkdown({ title, sections }: Letter): string {
  return `${[`# ${escapeMarkdown(title)}`, ...sections.flatMap(markdownSection)].join('\n\n')}\n`;
}

/** letter.html: one file that asks for nothing from outside and runs no script. */
export function letterHtml({ title, sections }: Letter): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy([])}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style>${PAGE_STYLE}</style>
</head>
<body>
<header>
<h1>${escapeHtml(title)}</h1>
</header>
<main>
${sections.map((section) => sectionHtml(section, null)).join('\n')}
</main>
</body>
</html>
`;
}
