// Suggests values for a field while it is filled in: `data-suggest` is the address of the options.
{
  const wait = 200;

  for (const place of document.querySelectorAll('[data-suggest]')) {
    const input = place.querySelector('input');
    const list = place.querySelector('datalist');
    let timer;
    let asked;

    const suggest = async () => {
      asked?.abort();
      asked = new AbortController();
      const search = new URLSearchParams({ search: input.value });
      try {
        const response = await fetch(`${place.dataset.suggest}?${search}`, {
          signal: asked.signal,
          redirect: 'error',
        });
        if (response.ok) list.innerHTML = await response.text();
      } catch {
        // the field works without suggestions
      }
    };

    input.addEventListener('input', () => {
      clearTimeout(timer);
      if (input.value.length > 1) timer = setTimeout(suggest, wait);
    });
  }
}
