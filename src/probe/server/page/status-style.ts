/** The style of the status page: tokens and measures of report.html, and its tables as cards on a phone. */
export const STATUS_STYLE = `
:root { color-scheme: light dark; --ground: #ffffff; --panel: #f6f7f9; --ink: #16191d; --muted: #5b6470; --line: #dfe3e8;
  --good: #146c3c; --warning: #8a5a00; --bad: #b3261e; --link: #1f5fbf; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171a; --panel: #1d2125; --ink: #e8eaed; --muted: #a2abb6; --line: #343a41;
  --good: #6fcf97; --warning: #f0b95a; --bad: #ff8a80; --link: #7fb2ff; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere; }
header, main, footer { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 1.75rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .9rem; text-wrap: balance; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 0; }
.good { color: var(--good); } .warning { color: var(--warning); } .bad { color: var(--bad); }
p { margin: .9rem 0 .4rem; }
.run { margin: 0 0 .2rem; color: var(--muted); font-size: .85rem; }
.root, .none { margin: 0 0 .6rem; color: var(--muted); font-size: .85rem; }
.note { padding: .8rem 1rem; background: var(--panel); border-left: 4px solid var(--bad); border-radius: 6px; margin: 0 0 .9rem; }
.note pre { margin: .4rem 0 0; white-space: pre-wrap; font-size: .84rem; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1rem; margin: .6rem 0; padding: .9rem 1rem; background: var(--panel); border-radius: 6px; }
.facts dt { color: var(--muted); } .facts dd { margin: 0; min-width: 0; font-variant-numeric: tabular-nums; }
meter { width: 8rem; height: .9rem; vertical-align: middle; }
a { color: var(--link); } nav a { display: inline-block; padding: .3rem 0; margin-right: 1rem; }
table { border-collapse: collapse; width: 100%; font-size: .86rem; font-variant-numeric: tabular-nums; margin: .3rem 0 .8rem; }
caption { text-align: left; color: var(--muted); font-size: .82rem; padding-bottom: .2rem; }
th { text-align: left; font-weight: 600; color: var(--muted); vertical-align: top; }
thead th { white-space: nowrap; }
th, td { padding: .4rem .8rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th.number, td.number { text-align: right; white-space: nowrap; } td.number .code { white-space: normal; }
tbody th { min-width: 9rem; } .name { color: var(--ink); display: block; } .what { font-weight: 400; font-size: .8rem; }
.state { white-space: nowrap; } .state.works { color: var(--good); } .state.fails, .state.silent { color: var(--bad); } .state.paused, .state.overdue { color: var(--warning); } .state.new { color: var(--muted); }
.code { color: var(--muted); font-size: .8rem; display: block; }
.strip { display: block; max-width: 100%; } .strip .idle { fill: var(--line); } .strip .ran { fill: var(--good); } .strip .failed { fill: var(--bad); }
.day { max-width: 42rem; margin: .2rem 0 1rem; } .day .strip { width: 100%; height: 2.2rem; }
.day p { display: flex; justify-content: space-between; margin: .1rem 0 0; color: var(--muted); font-size: .78rem; }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: .6rem; margin: .6rem 0 .9rem; }
.figures div { padding: .7rem .9rem; background: var(--panel); border-radius: 6px; }
.figures dt { color: var(--muted); font-size: .82rem; } .figures dd { margin: 0; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.figures .what { font-size: .8rem; color: var(--muted); } .figures .bad a { color: inherit; }
.bill { margin-top: 1.2rem; padding: .3rem 1rem .6rem; background: var(--panel); border-left: 4px solid var(--bad); border-radius: 6px; }
.bill h2 { margin: .6rem 0 0; } .bill ul { margin: .2rem 0; padding-left: 1.3rem; }
footer { color: var(--muted); font-size: .82rem; margin-top: 2.5rem; padding-bottom: 2rem; }
.more { display: none; }
@media (max-width: 48rem) {
  .more { display: block; padding: .4rem 0; color: var(--muted); font-size: .85rem; }
  .facts { grid-template-columns: 1fr; gap: 0; } .facts dd { margin-bottom: .5rem; }
  table, tbody, tr, tbody th, td, caption { display: block; width: 100%; }
  thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  tr { padding: .6rem 0; border-bottom: 1px solid var(--line); }
  tbody th, td, td.number { border: 0; padding: .1rem 0; text-align: left; }
  td { display: grid; grid-template-columns: 5.5rem 1fr; gap: .6rem; } td > * { grid-column: 2; }
  td::before { content: attr(data-title); color: var(--muted); font-size: .8rem; grid-column: 1; }
  body:not(:has(#all:checked)) .calm { display: grid; grid-template-columns: 1fr auto auto; gap: 0 .8rem; align-items: baseline; padding: .35rem 0; }
  body:not(:has(#all:checked)) .calm > * { width: auto; }
  body:not(:has(#all:checked)) .calm > td { display: block; }
  body:not(:has(#all:checked)) .calm > td::before, body:not(:has(#all:checked)) .calm .what,
  body:not(:has(#all:checked)) .calm > :nth-child(n + 4) { display: none; }
}
@media print { footer { display: none; } tr { break-inside: avoid; } }
`;
