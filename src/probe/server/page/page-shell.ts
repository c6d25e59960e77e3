import { escapeHtml } from '../../../text/escape-html.ts';
import { plural } from '../../../text/plural.ts';
import type { DaemonView } from '../../view/daemon-view.ts';
import type { Answer } from '../answer.ts';
import { pagePolicy, securityHeaders } from '../security-headers.ts';
import { STATUS_STYLE } from './status-style.ts';

/** How often the page asks for itself. */
const REFRESH_S = 15;

/**
 * Puts the page's new state in the place of the old one, without losing where the reader is; says so where the daemon no
 * longer answers, since an old page must not pass for the present. It does not ask for location.href, which may hold a
 * password: fetch refuses that. Plain browser JavaScript; nothing here holds data.
 */
const STATUS_SCRIPT = `(() => {
  const stale = document.getElementById('stale');
  let answered = new Date();
  async function refresh() {
    if (document.hidden) return;
    try {
      const answer = await fetch(location.origin + location.pathname, { cache: 'no-store', signal: AbortSignal.timeout(10000) });
      if (!answer.ok) throw new Error(String(answer.status));
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
      const parts = ['title', '#head', 'main'];
      if (getSelection().isCollapsed) for (const part of parts) {
        const fresh = page.querySelector(part);
        if (fresh !== null) document.querySelector(part).innerHTML = fresh.innerHTML;
      }
      answered = new Date();
      stale.hidden = true;
    } catch {
      stale.textContent = 'The daemon does not answer. This page is from ' + answered.toLocaleTimeString() + '.';
      stale.hidden = false;
    }
  }
  setInterval(refresh, ${REFRESH_S * 1000});
  document.addEventListener('visibilitychange', refresh);
})();
`;

const HEADERS = securityHeaders(pagePolicy(STATUS_SCRIPT, STATUS_STYLE));

export interface StatusParts {
  readonly title: string;
  /** Markup: what is renewed above and in the main part. */
  readonly head: string;
  readonly controls: string;
  readonly main: string;
}

/** One file that asks for nothing but itself. Its links are relative: it may stand behind a proxy's folder. */
export function pageAnswer(body: string): Answer {
  return { status: 200, type: 'text/html; charset=utf-8', body, headers: HEADERS };
}

export function renderPage({ version }: DaemonView, { title, head, controls, main }: StatusParts): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(`${title} – Weighbridge`)}</title>
<link rel="icon" href="data:,">
<noscript><meta http-equiv="refresh" content="${REFRESH_S}"></noscript>
<style>${STATUS_STYLE}</style>
</head>
<body>
<header>
<p id="stale" class="note bad" role="alert" hidden></p>
<div id="head">
${head}
</div>
${controls}
</header>
<main>
${main}
</main>
<footer>
<nav aria-label="Other pages"><a href="./">status</a> <a href="findings">findings</a> <a href="metrics">metrics</a> <a href="api/status">status as JSON</a> <a href="config">configuration</a></nav>
Weighbridge ${escapeHtml(version)}. This page reloads every ${plural(REFRESH_S, 'second')}.
</footer>
<script>${STATUS_SCRIPT}</script>
</body>
</html>
`;
}
