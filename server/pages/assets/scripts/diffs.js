// Loads parts of a page in place: the content of `details[data-load]` when they open, and the lines
// of a diff behind `a[data-lines]`, and the form for a comment behind `a[data-comment]`. Without scripts, links lead to pages with the same content.
{
  const load = async (address) => {
    const response = await fetch(address, { headers: { Accept: 'text/html' } });
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

  const openForm = async (link) => {
    const address = new URL(link.href);
    address.hash = '';
    address.searchParams.set('fragment', 'form');
    const content = await load(address);
    document.querySelector('tr[data-form]')?.remove();
    const row = content.firstElementChild;
    row.dataset.form = '';
    link.closest('tr').after(row);
    row.querySelector('textarea').focus();
    row.querySelector('a').addEventListener('click', (event) => {
      event.preventDefault();
      row.remove();
      link.focus();
    });
  };

  document.addEventListener('click', async (event) => {
    const link = event.target.closest?.('a[data-lines], a[data-comment]');
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    try {
      if (link.dataset.lines) link.closest('tr').replaceWith(await load(link.dataset.lines));
      else await openForm(link);
    } catch {
      location.assign(link.href);
    }
  });
}
