import { createHash } from 'node:crypto';
import { escapeHtml } from '../../text/escape-html.ts';
import type { VerdictTone } from '../words/verdict-words.ts';

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
export function verdictHeading({ tone, text }: { tone: VerdictTone; text: string }): string {
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

/** The style of report.html: readable in light, dark and print. */
const PAGE_STYLE = `
:root { color-scheme: light dark; --ground: #ffffff; --panel: #f5f7f9; --ink: #16191d; --muted: #59626d; --line: #dde2e8; --edge: #0005; --shade: #00000014; --fill: #1f5fbf22;
  --good: #146c3c; --warning: #8a5a00; --bad: #b3261e; --link: #1a56ad; --c1: #1f5fbf; --c2: #b45309; --c3: #14804a; --c4: #c62828; --c5: #7b3fb5; --c6: #0e7c86; }
@media screen and (prefers-color-scheme: dark) { :root { --ground: #121518; --panel: #1b1f23; --ink: #e8eaed; --muted: #a2abb6; --line: #31373e; --edge: #fff3; --shade: #ffffff17; --fill: #7fb2ff22;
  --good: #6fcf97; --warning: #f0b95a; --bad: #ff8a80; --link: #8cbaff; --c1: #7fb2ff; --c2: #f0b95a; --c3: #6fcf97; --c4: #ff8a80; --c5: #c9a2f5; --c6: #6fd3dc; } }
* { box-sizing: border-box; }
html { scroll-padding-top: 3.5rem; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main, header { max-width: 86rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 1.75rem; }
h1 { font-size: 1.75rem; line-height: 1.25; margin: 0 0 1.1rem; text-wrap: balance; overflow-wrap: anywhere; }
h1.good { color: var(--good); } h1.warning { color: var(--warning); } h1.bad { color: var(--bad); }
.sign { display: inline-grid; place-items: center; width: 1.7rem; height: 1.7rem; border-radius: 50%; font-size: 1rem; border: 2px solid; vertical-align: .12em; margin-right: .2rem; }
h2 { font-size: 1.25rem; margin: 0 0 .7rem; }
section { padding: 1.5rem 0 .6rem; border-top: 1px solid var(--line); }
section:first-child { border-top: 0; }
h3 { font-size: .95rem; margin: 1.3rem 0 .4rem; font-family: ui-monospace, Menlo, Consolas, monospace; }
p { margin: .9rem 0 .4rem; max-width: 60rem; } ul { max-width: 60rem; }
.note { color: var(--muted); font-size: .82rem; margin: .2rem 0 .6rem; }
.run { margin: 0 0 .3rem; color: var(--muted); font-size: .85rem; overflow-wrap: anywhere; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .4rem 1.2rem; margin: 0; padding: 1rem 1.1rem; background: var(--panel); border-radius: 8px; }
.facts dt { color: var(--muted); } .facts dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.facts dd:first-of-type { font-weight: 600; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.4rem, 1fr)); gap: .7rem; margin: .9rem 0 0; }
.figures div { border: 1px solid var(--line); border-radius: 8px; padding: .6rem .8rem; min-width: 0; }
.figures dt { color: var(--muted); font-size: .78rem; } .figures dd { margin: 0; font-size: 1.2rem; line-height: 1.35; font-variant-numeric: tabular-nums; overflow-wrap: anywhere; }
.figures .unit { color: var(--muted); font-size: .78rem; }
nav { position: sticky; top: 0; z-index: 5; margin: 1.1rem 0 0; padding: .55rem max(1.25rem, calc(50% - 41.75rem)); font-size: .88rem; background: var(--ground); border-bottom: 1px solid var(--line); }
nav a { margin-right: 1rem; display: inline-block; text-decoration: none; } nav a:hover { text-decoration: underline; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -99rem; } .skip:focus { left: 1rem; top: .4rem; z-index: 9; background: var(--ground); padding: .3rem .6rem; }
.unseen { position: absolute; width: 1px; height: 1px; margin: 0; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.wide { overflow-x: auto; background: linear-gradient(to right, var(--ground) 1rem, transparent) left / 2.2rem calc(100% + 2px) no-repeat local,
  linear-gradient(to left, var(--ground) 1rem, transparent) right / 2.2rem calc(100% + 2px) no-repeat local,
  linear-gradient(to right, var(--edge), transparent) left / .9rem 100% no-repeat scroll,
  linear-gradient(to left, var(--edge), transparent) right / .9rem 100% no-repeat scroll; }
table { border-collapse: collapse; font-size: .86rem; font-variant-numeric: tabular-nums; margin: .3rem 0 .8rem; }
th { text-align: left; font-weight: 600; color: var(--muted); white-space: nowrap; vertical-align: bottom; }
th, td { padding: .3rem .9rem .3rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
.wide table { width: max-content; }
td { max-width: 28rem; overflow-wrap: break-word; }
tbody tr:hover { background: color-mix(in srgb, var(--link) 7%, transparent); }
tfoot td { font-weight: 600; border-top: 2px solid var(--line); }
th.number, td.number { text-align: right; white-space: nowrap; overflow-wrap: normal; }
.sort { all: unset; cursor: pointer; } .sort:hover { color: var(--ink); } .sort:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
[aria-sort] .sort { color: var(--ink); } [aria-sort=ascending] .sort::after { content: ' ▲' / ''; font-size: .7em; } [aria-sort=descending] .sort::after { content: ' ▼' / ''; font-size: .7em; }
.filter { display: block; font-size: .84rem; color: var(--muted); margin: .5rem 0 .2rem; }
.filter input { font: inherit; color: var(--ink); background: var(--ground); border: 1px solid var(--muted); border-radius: 5px; padding: .2rem .5rem; margin: 0 .4rem; width: min(16rem, 50vw); }
.copy, .id { font: inherit; color: var(--link); background: none; border: 1px solid var(--line); border-radius: 5px; cursor: pointer; }
.copy { padding: .25rem .7rem; } .id { padding: 0 .3rem; margin: 0 0 .15rem; border-color: transparent; text-align: left; } .id:hover { border-color: var(--line); }
.id code { font-size: .92em; overflow-wrap: anywhere; } .id code { text-decoration: underline dotted; text-underline-offset: 3px; } .copied::after { content: ' ✓'; color: var(--good); }
details { border: 1px solid var(--line); border-radius: 8px; padding: 0 1rem; margin: .7rem 0; } summary { cursor: pointer; padding: .55rem 0; } details[open] > summary { margin-bottom: .3rem; font-weight: 600; }
pre { background: var(--panel); padding: .8rem 1rem; border-radius: 8px; overflow-x: auto; font-size: .84rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(21rem, 100%), 1fr)); gap: .8rem 1.6rem; }
.charts figure { margin: 0; min-width: 0; overflow: hidden; } figcaption { color: var(--muted); font-size: .82rem; margin-left: .3rem; }
[data-chart] { min-height: 170px; border-radius: 4px; } [data-chart]:focus-visible { outline-offset: -2px; }
.uplot { color: var(--ink); } .uplot .u-legend { font-size: 11.5px; text-align: left; margin-left: .3rem; } .u-legend .u-series > * { padding: 1px 3px; }
.uplot table, .uplot td, .uplot th { border: 0; margin: 0; width: auto; min-width: 0; color: inherit; font-weight: 400; } .u-select { background: color-mix(in srgb, var(--link) 18%, transparent) !important; }
.uplot tr:hover { background: none; } .u-legend .u-series { overflow-wrap: anywhere; }
.tip { position: absolute; z-index: 4; pointer-events: none; background: var(--panel); border: 1px solid var(--line); border-radius: 5px; padding: .2rem .5rem; font-size: 11.5px; white-space: nowrap; box-shadow: 0 2px 8px #0003; }
.tip i, .key i { display: inline-block; width: .6rem; height: .6rem; border-radius: 2px; margin-right: .35rem; }
.fall { width: min(100%, 60rem); } .fall th[scope=row] { color: var(--ink); font-weight: 400; white-space: normal; vertical-align: middle; } .fall .number { width: 1%; } .fall .track { width: 62%; max-width: none; vertical-align: middle; } .fall .track div { position: relative; height: 1.15rem; }
.fall .bar { position: absolute !important; top: 0; bottom: 0; min-width: 2px; border-radius: 2px; } .fall thead th { font-size: .78rem; } .fall .number { vertical-align: middle; }
.spans { width: 100% !important; min-width: 46rem !important; } .spans .track { width: 45%; } .spans th[scope=row] { white-space: nowrap !important; padding-right: .9rem; } .spans .number { padding-left: .9rem; } .spans td { vertical-align: middle; white-space: nowrap; } .spans b, .spans i { position: absolute; }
.spans b { top: -.35rem; bottom: -.35rem; width: 1px; background: var(--muted); } .spans i { top: .32rem; width: .5rem; height: .5rem; margin-left: -.25rem; border-radius: 50%; background: var(--ink); border: 1px solid var(--ground); }
.bar.worse { background: var(--c4); } .bar.better { background: var(--c3); } .bar.same { background: color-mix(in srgb, var(--muted) 45%, transparent); }
.spark { display: block; }
.bar.sum { background: var(--c1); } .bar.cut { background: linear-gradient(100deg, transparent 6px, var(--c1) 7px); } .bar.more { background: var(--c4); } .bar.less { background: var(--c3); }
.stacked { display: grid; grid-template-columns: max-content 1fr; gap: .35rem .9rem; max-width: 60rem; margin: .6rem 0; font-size: .86rem; }
.key { grid-column: 1 / -1; color: var(--muted); font-size: .82rem; } .key span { margin-right: 1rem; } .bar-label { font-family: ui-monospace, Menlo, Consolas, monospace; font-size: .82rem; } .bar-track { display: flex; height: 1.15rem; align-self: center; } .bar-track div:first-child { border-radius: 2px 0 0 2px; } .bar-track div { border-right: 1px solid var(--ground); }
td.good { color: var(--good); } td.warning { color: var(--warning); } td.bad { color: var(--bad); }
footer { color: var(--muted); font-size: .82rem; max-width: 86rem; margin: 2.5rem auto; padding: 0 1.25rem; } footer pre { white-space: pre-wrap; }
/* What does not fit is scrolled to: a column of a word a line is not read. */
@media (max-width: 60rem) { td { max-width: 15rem; } }
@media (max-width: 40rem) { h1 { font-size: 1.4rem; } th, td { padding-right: .55rem; } .facts { grid-template-columns: 1fr; gap: 0; } .facts dd { margin-bottom: .5rem; } .figures { grid-template-columns: 1fr 1fr; } .figures .long { font-size: 1rem; }
  .figures div:last-child:nth-child(odd) { grid-column: 1 / -1; } nav { position: static; } .wide table { width: auto; min-width: 100%; } td { max-width: 9.5rem; } .wide td:not(.number) { min-width: 6.5rem; } .wide th { white-space: normal; min-width: 4.6rem; max-width: 7rem; } .fall .track { width: 38%; } details { padding: 0 .6rem; } }
@media print { :root { color-scheme: light; --muted: #444; --line: #bbb; } body { font-size: 11px; } nav, .screen, .skip { display: none; } h2 { break-after: avoid; } section { padding-top: 1rem; }
  figure, tr, .facts, .figures div, .fall, .stacked { break-inside: avoid; } .wide { overflow: visible; background: none; } .wide table { width: auto; } td { max-width: none; } th { white-space: normal; } table { font-size: 9px; } th, td { padding-right: .4rem; overflow-wrap: anywhere; }
  td.number { overflow-wrap: anywhere; white-space: normal; } .fall td.number { overflow-wrap: normal; white-space: nowrap; } .charts { grid-template-columns: 1fr 1fr; } pre { white-space: pre-wrap; overflow-wrap: anywhere; } * { print-color-adjust: exact; } }
`;
