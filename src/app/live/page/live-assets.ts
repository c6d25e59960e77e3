import { STATUS_STYLE } from '../../../probe/server/page/status-style.ts';

/** The style of the daemon's page, so that tables become cards on a phone here too, and what the live page has beyond it. */
export const LIVE_STYLE = `${STATUS_STYLE}
#stale { margin: 1rem max(1.25rem, calc(50% - 36.75rem)); } #stale.ended { border-color: var(--muted); } main { padding-top: 1.75rem; }
pre { background: var(--panel); padding: .8rem 1rem; border-radius: 6px; font-size: .84rem; }
pre span { display: inline-block; width: 100%; box-sizing: border-box; white-space: pre-wrap; overflow-wrap: anywhere; padding-left: 10ch; text-indent: -10ch; }
.done { display: flex; align-items: center; gap: .7rem; margin: .2rem 0 .8rem; font-variant-numeric: tabular-nums; } progress { flex: 1; height: .7rem; accent-color: var(--good); }
.goals { list-style: none; padding: 0; margin: .6rem 0; display: flex; flex-wrap: wrap; gap: .2rem 1.6rem; font-size: .9rem; } .goals li { color: var(--ink); }
.goals small { color: var(--muted); } .goals .good > span, .goals .good small { color: var(--good); } .goals .bad > span, .goals .bad small { color: var(--bad); }
:root { --k1: #1f5fbf; --k2: #b35c00; --k3: #8e2f8e; --k4: #1d7a4d; } @media (prefers-color-scheme: dark) { :root { --k1: #7fb2ff; --k2: #f0a35a; --k3: #d79be0; --k4: #6fcf97; } }
.time { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 1.2rem 1.8rem; margin: 1.2rem 0; }
.time figure { margin: 0; min-width: 0; display: flex; flex-direction: column; justify-content: space-between; } .time figcaption { font-size: .84rem; margin-bottom: .3rem; }
.unit, .moment, .x, .y { color: var(--muted); font-size: .78rem; } .moment { float: right; }
.key { display: inline-block; margin-right: .8rem; color: var(--muted); } .key b { color: var(--ink); font-weight: 600; font-variant-numeric: tabular-nums; }
.key::before { content: ""; display: inline-block; width: .7rem; height: .2rem; margin-right: .35rem; vertical-align: middle; background: var(--k1); }
.key.k2::before { background: var(--k2); } .key.k3::before { background: var(--k3); } .key.k4::before { background: var(--k4); }
.plot { display: grid; grid-template-columns: 2.9rem 1fr; gap: .1rem .4rem; } .y { display: flex; flex-direction: column; justify-content: space-between; text-align: right; line-height: 1; }
.x { grid-column: 2; display: flex; justify-content: space-between; }
.time svg { display: block; width: 100%; height: 130px; background: var(--panel); }
.time path { fill: none; stroke: var(--k1); stroke-width: 2; vector-effect: non-scaling-stroke; } .time .k2 { stroke: var(--k2); } .time .k3 { stroke: var(--k3); } .time .k4 { stroke: var(--k4); }
.time .grid { stroke: var(--line); stroke-width: 1; } .time .cursor { stroke: var(--muted); stroke-width: 1; } .time .band { fill: var(--k1); stroke: none; opacity: .14; }
tbody th { min-width: 7rem; }
@media (max-width: 48rem) {
  .time { grid-template-columns: minmax(0, 1fr); }
  tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(8.5rem, 1fr)); column-gap: 1rem; }
  td { grid-template-columns: 5.4rem 1fr; } tbody th, td:not(.number) { grid-column: 1 / -1; }
}
`;

/**
 * Puts each frame in the place of the last one. Frames are markup of our own, escaped where it was made, and the page's
 * policy lets no other script run. An old page must not pass for the present: it says when frames stop, and when the command
 * has ended. Plain browser JavaScript; nothing here holds data.
 */
export const LIVE_SCRIPT = `(() => {
  const stale = document.getElementById('stale');
  const live = document.getElementById('live');
  const tell = (text) => { stale.textContent = text; stale.hidden = text === ''; };
  const events = new EventSource('events');
  let last = new Date();
  let pointer = null;
  // What the lines were at the pointer stands in their captions, where no edge can cut it.
  const hover = () => {
    const svg = pointer === null ? null : document.elementFromPoint(pointer.x, pointer.y)?.closest('.time svg');
    for (const figure of document.querySelectorAll('.time figure')) {
      const { x, values } = JSON.parse(figure.dataset.told);
      let at = x.length - 1;
      if (svg) {
        const box = svg.getBoundingClientRect();
        const share = (pointer.x - box.left) / box.width;
        at = x.reduce((best, [place], index) => (Math.abs(place - share) < Math.abs(x[best][0] - share) ? index : best), 0);
      }
      figure.querySelector('.moment').textContent = svg ? x[at][1] : '';
      figure.querySelector('.cursor').setAttribute('d', svg ? 'M' + x[at][0] * 600 + ' 0V120' : '');
      figure.querySelectorAll('.key b').forEach((key, line) => { key.textContent = values[line][at]; });
    }
  };
  addEventListener('pointermove', ({ clientX, clientY }) => { pointer = { x: clientX, y: clientY }; hover(); });
  document.documentElement.addEventListener('pointerleave', () => { pointer = null; hover(); });
  events.addEventListener('frame', (event) => {
    const { title, html } = JSON.parse(event.data);
    document.title = title;
    if (getSelection().isCollapsed) { live.innerHTML = html; if (pointer !== null) hover(); }
    last = new Date();
    tell('');
  });
  events.addEventListener('end', () => {
    events.close();
    stale.classList.add('ended');
    tell('The command has ended. This is what it said last.');
  });
  events.addEventListener('error', () => {
    if (events.readyState !== EventSource.CLOSED) tell('The command does not answer. What stands here is of ' + last.toLocaleTimeString() + '.');
  });
})();
`;
