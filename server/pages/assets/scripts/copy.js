// Adds a button to each element with `data-copy` that copies its value or text. Browsers offer the
// clipboard to secure pages only.
if (navigator.clipboard) {
  for (const source of document.querySelectorAll('[data-copy]')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'small';
    button.textContent = 'Copy';
    button.setAttribute('aria-label', `Copy ${source.dataset.copy}`);
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(source.value ?? source.textContent);
      button.textContent = 'Copied';
      setTimeout(() => {
        button.textContent = 'Copy';
      }, 2000);
    });
    source.after(button);
  }
}
