// Loads parts of a page in place: the content of `details[data-load]` when they open, and the lines
// of a diff behind `a[data-lines]`, and the form for a comment behind `a[data-comment]`. Without scripts, links lead to pages with the same content.
{
  const load = async (address) => {
    // without a session it redirects to the sign-in page, which is no part of this one
    const response = await fetch(address, { headers: { Accept: 'text/html' }, redirect: 'error' });
    if (!response.ok) throw new Error(`${response.status}`);
    const template = document.createElement('template');
    template.innerHTML = await response.text();
    return template.content;
  };

  document.addEventListener(
    'toggle',
    async ({ target }) => {
      const address = target.open && target.dataset?.load;
      if (!address) return;
      delete target.dataset.load;
      try {
        const content = await load(address);
        for (const old of target.querySelectorAll(':scope > :not(summary)')) old.remove();
        target.append(content);
      } catch {
        target.dataset.load = address;
      }
    },
    true,
  );

  /** Closes the forms in which the user has not written anything. */
  const closeUnused = () => {
    for (const row of document.querySelectorAll('tr[data-form]')) {
      if (row.querySelector('textarea').value === '') row.remove();
    }
  };

  let forms = 0;
  const openForm = async (link) => {
    const open = document.querySelector(`tr[data-form="${CSS.escape(link.href)}"]`);
    if (open) return open.querySelector('textarea').focus();
    const address = new URL(link.href);
    address.hash = '';
    address.searchParams.set('fragment', 'form');
    const content = await load(address);
    closeUnused();
    const row = content.firstElementChild;
    row.dataset.form = link.href;
    // the form of another line may be open
    forms += 1;
    for (const name of ['id', 'for', 'aria-describedby']) {
      for (const element of row.querySelectorAll(`[${name}]`)) {
        element.setAttribute(name, `${element.getAttribute(name)}-${forms}`);
      }
    }
    link.closest('tr').after(row);
    row.querySelector('textarea').focus();
    row.querySelector('a').addEventListener('click', (event) => {
      event.preventDefault();
      row.remove();
      link.focus();
    });
  };

  const expand = async (link) => {
    const content = await load(link.dataset.lines);
    const [first] = content.querySelectorAll('a');
    const hadFocus = document.activeElement === link;
    link.closest('tr').replaceWith(content);
    if (hadFocus) first?.focus();
  };

  document.addEventListener('click', async (event) => {
    const link = event.target.closest?.('a[data-lines], a[data-comment]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    try {
      if (link.dataset.lines) await expand(link);
      else await openForm(link);
    } catch {
      location.assign(link.href);
    }
  });
}
