import { STATUS_STYLE } from '../../../probe/server/page/status-style.ts';

/** The style of the daemon's page, so that tables become cards on a phone here too, and what the live page has beyond it. */
export const LIVE_STYLE = `${STATUS_STYLE}
#stale { margin: 1rem max(1.25rem, calc(50% - 36.75rem)); } #stale.ended { border-color: var(--muted); } main { padding-top: 1.75rem; }
pre { background: var(--panel); padding: .8rem 1rem; border-radius: 6px; font-size: .84rem; }
pre span { display: inline-block; width: 100%; box-sizing: border-box; white-space: pre-wrap; overflow-wrap: anywhere; padding-left: 10ch; text-indent: -10ch; }
.time { display: grid; grid-template-columns: repeat(4, 1fr); gap: .5rem 1.5rem; margin: 1rem 0; }
.time figure { margin: 0; min-width: 0; display: flex; flex-direction: column; justify-content: end; } .time figcaption { color: var(--muted); font-size: .82rem; }
.time figcaption strong { color: var(--ink); font-variant-numeric: tabular-nums; }
.time svg { display: block; width: 100%; height: 60px; background: var(--panel); border-radius: 6px; }
.time path { fill: none; stroke: var(--link); stroke-width: 2; }
tbody th { min-width: 7rem; }
@media (max-width: 48rem) {
  .time { grid-template-columns: 1fr 1fr; }
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
  events.addEventListener('frame', (event) => {
    const { title, html } = JSON.parse(event.data);
    document.title = title;
    if (getSelection().isCollapsed) live.innerHTML = html;
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
