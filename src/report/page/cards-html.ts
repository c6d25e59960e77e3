import { escapeHtml } from '../../text/escape-html.ts';
import type { Card } from '../sections/cards.ts';
import { factList, verdictHeading, verdictSign } from './page-html.ts';

/** The cards of the first screen; the answer is the heading of the page. */
export function cardsHtml(cards: readonly Card[]): string {
  return `<div class="cards">\n${cards.map(cardHtml).join('\n')}\n</div>`;
}

function cardHtml({ id, label, tone, text, facts, letter }: Card): string {
  const heading =
    id === 'answer'
      ? verdictHeading({ tone, text })
      : `<h2 class="${tone}">${verdictSign(tone)} ${escapeHtml(text)}</h2>`;
  return `<article class="card ${tone}" id="${id}">
<p class="run">${escapeHtml(label)}</p>
${heading}${letter === null ? '' : `\n${letterHtml(letter)}`}
${factList(facts)}
</article>`;
}

/** The text stands in the page, so that it can be sent from this one file. */
function letterHtml(letter: string): string {
  return `<p class="screen"><button type="button" class="act" data-copy-of="letter">Copy the letter</button> <button type="button" class="copy" data-save-of="letter">Download it</button></p>
<details><summary>Read the letter to the gateway</summary>
<pre id="letter" tabindex="0">${escapeHtml(letter)}</pre>
<p class="note">“weighbridge report --bundle” writes the evidence as a zip to attach.</p>
</details>`;
}
