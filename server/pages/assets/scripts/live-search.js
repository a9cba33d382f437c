// A search form with `data-live` shows what it finds below itself as the user types, and when its menu
// opens. The arrow keys move through the results.
for (const form of document.querySelectorAll('form[data-live]')) {
  const results = form.querySelector('[data-live-results]');
  const input = form.querySelector('input[type="search"]');
  let [timer, request] = [0, null];

  const find = async () => {
    request?.abort();
    request = new AbortController();
    const query = new URLSearchParams(new FormData(form));
    query.set('fragment', '1');
    try {
      const response = await fetch(`${form.action}?${query}`, {
        signal: request.signal,
        redirect: 'error',
      });
      // without results the button still works
      if (response.ok) results.innerHTML = await response.text();
    } catch {
      // aborted by the next search, or the session ended
    }
  };

  input.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(find, 200);
  });
  form.addEventListener('keydown', (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const stops = [input, ...results.querySelectorAll('a')];
    stops[stops.indexOf(document.activeElement) + step]?.focus();
  });
  const menu = form.closest('details');
  menu?.addEventListener('toggle', () => {
    if (!menu.open) return;
    input.focus();
    if (results.childElementCount === 0) find();
  });
}
