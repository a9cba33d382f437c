// Adds a button to each element with `data-copy` that copies its value or text. Browsers offer the
// clipboard to secure pages only.
if (navigator.clipboard) {
  for (const source of document.querySelectorAll('[data-copy]')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'small';
    const label = (text) => {
      button.textContent = text;
      button.setAttribute('aria-label', `${text} ${source.dataset.copy}`);
    };
    label('Copy');
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(source.value ?? source.textContent);
        label('Copied');
      } catch {
        // the user or the browser refused it
        label('Could not copy');
      }
      setTimeout(label, 2000, 'Copy');
    });
    source.after(button);
  }
}
