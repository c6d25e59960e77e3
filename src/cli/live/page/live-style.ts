import { STATUS_STYLE } from '../../../probe/server/page/status-style.ts';

/** The style of the daemon's page, so that tables become cards on a phone here too, and what the live page has beyond it. */
export const LIVE_STYLE = `${STATUS_STYLE}
#stale { max-width: 73.5rem; margin: 1rem auto; } #stale.ended { border-color: var(--muted); } main { padding-top: 1.75rem; }
pre { background: var(--panel); padding: .8rem 1rem; border-radius: 6px; overflow-x: auto; font-size: .84rem; }
.time { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(14rem, 100%), 1fr)); gap: .5rem 1.5rem; margin: 1rem 0; }
.time figure { margin: 0; min-width: 0; } .time figcaption { color: var(--muted); font-size: .82rem; }
.time figcaption strong { color: var(--ink); font-variant-numeric: tabular-nums; }
.time svg { display: block; width: 100%; height: 60px; background: var(--panel); border-radius: 6px; }
.time path { fill: none; stroke: var(--link); stroke-width: 2; }
tbody th { min-width: 7rem; }
`;
