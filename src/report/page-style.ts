/** The style of report.html: readable in light, dark and print. */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --ground: #ffffff; --panel: #f6f7f9; --ink: #16191d; --muted: #5b6470; --line: #dfe3e8; --edge: #0005; --shade: #0001;
  --good: #146c3c; --warning: #8a5a00; --bad: #b3261e; --started: #1f5fbf; --errors: #c62828; --p50: #1f5fbf; --p95: #b45309; }
@media (prefers-color-scheme: dark) { :root { --ground: #14171a; --panel: #1d2125; --ink: #e8eaed; --muted: #a2abb6; --line: #343a41; --edge: #fff6; --shade: #fff2;
  --good: #6fcf97; --warning: #f0b95a; --bad: #ff8a80; --started: #7fb2ff; --errors: #ff8a80; --p50: #7fb2ff; --p95: #f0b95a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
main, header { max-width: 76rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 1.75rem; }
h1 { font-size: 1.6rem; line-height: 1.25; margin: 0 0 .9rem; text-wrap: balance; }
h1.good { color: var(--good); } h1.warning { color: var(--warning); } h1.bad { color: var(--bad); }
h2 { font-size: 1.15rem; margin: 2.2rem 0 .6rem; }
h3 { font-size: .95rem; margin: 1.2rem 0 .3rem; }
p { margin: .9rem 0 .4rem; }
.run { margin: 0 0 .2rem; color: var(--muted); font-size: .85rem; overflow-wrap: anywhere; }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1rem; margin: 0; padding: .9rem 1rem; background: var(--panel); border-radius: 6px; }
.facts dt { color: var(--muted); } .facts dd { margin: 0; overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
nav { margin: 1rem 0 0; font-size: .9rem; } nav a { margin-right: 1rem; }
a { color: var(--started); }
.wide { overflow-x: auto; background: linear-gradient(to right, var(--ground) 1rem, transparent) left / 2.2rem 100% no-repeat local,
  linear-gradient(to left, var(--ground) 1rem, transparent) right / 2.2rem 100% no-repeat local,
  linear-gradient(to right, var(--edge), transparent) left / .9rem 100% no-repeat scroll,
  linear-gradient(to left, var(--edge), transparent) right / .9rem 100% no-repeat scroll; }
table { border-collapse: collapse; font-size: .86rem; font-variant-numeric: tabular-nums; margin: .3rem 0 .8rem; }
th { text-align: left; font-weight: 600; color: var(--muted); white-space: nowrap; vertical-align: bottom; }
th, td { padding: .28rem .8rem .28rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td { max-width: 24rem; overflow-wrap: break-word; }
th.number, td.number { text-align: right; white-space: nowrap; overflow-wrap: normal; }
pre { background: var(--panel); padding: .8rem 1rem; border-radius: 6px; overflow-x: auto; font-size: .84rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: .5rem 1.5rem; }
.charts figure { margin: 0; min-width: 0; } figcaption { color: var(--muted); font-size: .82rem; }
.uplot { color: var(--ink); } .uplot .u-legend { font-size: 11.5px; text-align: left; } .u-legend .u-series > * { padding: 1px 3px; }
.uplot table, .uplot td, .uplot th { border: 0; margin: 0; width: auto; min-width: 0; color: inherit; }
footer { color: var(--muted); font-size: .82rem; max-width: 76rem; margin: 2.5rem auto; padding: 0 1.25rem; }
@media (max-width: 40rem) { th, td { padding-right: .55rem; } .facts { grid-template-columns: 1fr; gap: 0; } .facts dd { margin-bottom: .5rem; } }
@media screen and (min-width: 60rem) { .wide table { width: max-content; } }
@media print { :root { --ground: #fff; --ink: #000; --panel: #f3f3f3; --line: #bbb; --muted: #444; } nav { display: none; }
  h2 { break-after: avoid; } figure, tr, .facts { break-inside: avoid; } .wide { overflow: visible; background: none; } td { max-width: none; } table { font-size: .72rem; } }
`;
