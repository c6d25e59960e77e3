/** How often the page asks for itself. */
export const REFRESH_S = 15;

/**
 * Puts the page's new state in the place of the old one, without losing where the reader is; says so where the daemon no
 * longer answers, since an old page must not pass for the present. It does not ask for location.href, which may hold a
 * password: fetch refuses that. Plain browser JavaScript; nothing here holds data.
 */
export const STATUS_SCRIPT = `(() => {
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
      stale.textContent = 'The daemon does not answer. What stands here is of ' + answered.toLocaleTimeString() + '.';
      stale.hidden = false;
    }
  }
  setInterval(refresh, ${REFRESH_S * 1000});
  document.addEventListener('visibilitychange', refresh);
})();
`;
