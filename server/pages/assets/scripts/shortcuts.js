// The key in `data-shortcut` moves the focus to an element, or follows a link, unless the user is
// typing. A link keeps the lines that are marked in the address.
{
  const isTyping = ({ target }) =>
    target.isContentEditable || /^(?:input|textarea|select)$/i.test(target.tagName);

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const element = document.querySelector(`[data-shortcut="${CSS.escape(event.key)}"]`);
    if (!element) return;
    event.preventDefault();
    if (element.href) location.assign(element.href + location.hash);
    else element.focus();
  });
}
