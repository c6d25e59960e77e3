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
