/** Lets tables be sorted and filtered, and ids be copied. Plain browser JavaScript; nothing here holds data. */
export const TABLE_SCRIPT = `(() => {
  const told = document.getElementById('told');

  // What a figure is sorted by: its number, whatever stands around it; the mark of absence sorts below all.
  const numberOf = (text) => {
    const match = /-?[0-9][0-9,]*(?:\\.[0-9]+)?(?:e[+-]?[0-9]+)?/i.exec(text.replace('\\u2212', '-').replace(/-\\$/, '-'));
    return match === null ? -Infinity : Number(match[0].replaceAll(',', ''));
  };

  function sortable(table) {
    const body = table.tBodies[0];
    if (body.rows.length < 2) return;
    const original = [...body.rows];
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const numeric = head.classList.contains('number');
      const button = document.createElement('button');
      button.type = 'button';
      button.className = 'sort';
      button.textContent = head.textContent;
      head.replaceChildren(button);
      button.addEventListener('click', () => {
        const now = head.getAttribute('aria-sort');
        const first = numeric ? 'descending' : 'ascending';
        const next = now === null ? first : now === first ? (numeric ? 'ascending' : 'descending') : null;
        for (const other of table.tHead.rows[0].cells) other.removeAttribute('aria-sort');
        const sign = next === 'descending' ? -1 : 1;
        const textOf = (row) => row.cells[column].textContent;
        const compare = numeric
          ? (left, right) => numberOf(textOf(left)) - numberOf(textOf(right)) || 0
          : (left, right) => textOf(left).localeCompare(textOf(right), 'en', { numeric: true });
        if (next !== null) head.setAttribute('aria-sort', next);
        body.append(...(next === null ? original : original.toSorted((left, right) => sign * compare(left, right))));
      });
    });
  }

  function filterable(table) {
    if (!table.hasAttribute('data-filter')) return;
    const box = table.parentElement;
    const label = document.createElement('label');
    label.className = 'filter screen';
    const input = document.createElement('input');
    input.type = 'search';
    input.placeholder = 'words, all of them';
    const count = document.createElement('span');
    const rows = [...table.tBodies[0].rows];
    const tell = (shown) => { count.textContent = shown === rows.length ? rows.length + ' rows' : shown + ' of ' + rows.length + ' rows'; };
    label.append('Filter ', input, ' ', count);
    input.addEventListener('input', () => {
      const words = input.value.toLowerCase().split(/\\s+/).filter((word) => word !== '');
      let shown = 0;
      for (const row of rows) {
        const text = row.textContent.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
        if (!row.hidden) shown += 1;
      }
      tell(shown);
      told.textContent = count.textContent;
    });
    tell(rows.length);
    box.before(label);
  }

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      // A page opened from a file may not reach the clipboard that way.
      const area = document.createElement('textarea');
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand('copy');
      area.remove();
    }
    told.textContent = 'Copied';
  }

  for (const table of document.querySelectorAll('.wide table')) {
    sortable(table);
    filterable(table);
  }
  function save(name) {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([document.getElementById(name).textContent], { type: 'text/plain' }));
    link.download = name + '.txt';
    link.click();
    URL.revokeObjectURL(link.href);
  }

  document.addEventListener('click', async (event) => {
    const button = event.target.closest('[data-copy], [data-copy-of], [data-save-of]');
    if (button === null) return;
    if (button.dataset.saveOf !== undefined) {
      save(button.dataset.saveOf);
      return;
    }
    await copy(button.dataset.copy ?? document.getElementById(button.dataset.copyOf).textContent);
    button.classList.add('copied');
    setTimeout(() => button.classList.remove('copied'), 1200);
  });
  // A link into the evidence opens it.
  function reveal() {
    const at = location.hash === '' ? null : document.getElementById(location.hash.slice(1));
    for (let fold = at; fold !== null; fold = fold.parentElement) if (fold.tagName === 'DETAILS') fold.open = true;
  }
  addEventListener('hashchange', reveal);
  reveal();
  // On paper nothing can be opened.
  const folds = document.querySelectorAll('details');
  let shut = [];
  addEventListener('beforeprint', () => {
    shut = [...folds].filter((fold) => !fold.open);
    for (const fold of shut) fold.open = true;
  });
  addEventListener('afterprint', () => { for (const fold of shut) fold.open = false; });
})();
`;
