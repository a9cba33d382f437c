// The key in `data-shortcut` moves the focus to an element, unless the user is typing.
{
  const isTyping = ({ target }) =>
    target.isContentEditable || /^(?:input|textarea|select)$/i.test(target.tagName);

  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const element = document.querySelector(`[data-shortcut="${CSS.escape(event.key)}"]`);
    if (!element) return;
    event.preventDefault();
    element.focus();
  });
}
