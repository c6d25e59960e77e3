import { escapeHtml } from '../../core/escape-html.ts';
import { escapeMarkdown, markdownSection } from '../markdown.ts';
import { sectionHtml } from '../page/block-html.ts';
import { pageHtml } from '../page/page-html.ts';
import type { Letter } from './letter.ts';

/** letter.md */
export function letterMarkdown({ title, sections }: Letter): string {
  return `${[`# ${escapeMarkdown(title)}`, ...sections.flatMap(markdownSection)].join('\n\n')}\n`;
}

/** letter.html: one file that asks for nothing from outside and runs no script. */
export function letterHtml({ title, sections }: Letter): string {
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
