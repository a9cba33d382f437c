// Cards of a board are dragged to another list: the drop sends the card's own form.
{
  let dragged = null;

  const listAt = ({ target }) => target.closest?.('[data-list]');

  document.addEventListener('dragstart', (event) => {
    dragged = event.target.closest?.('[data-card]') ?? null;
    if (!dragged) return;
    event.dataTransfer.effectAllowed = 'move';
    event.dataTransfer.setData('text/plain', dragged.dataset.card);
  });
  document.addEventListener('dragend', () => {
    dragged = null;
    for (const list of document.querySelectorAll('.target')) list.classList.remove('target');
  });
  document.addEventListener('dragover', (event) => {
    const list = listAt(event);
    if (!dragged || !list) return;
    event.preventDefault();
    for (const other of document.querySelectorAll('.target')) other.classList.remove('target');
    list.classList.add('target');
  });
  document.addEventListener('drop', (event) => {
    const list = listAt(event);
    if (!dragged || !list) return;
    event.preventDefault();
    const form = dragged.querySelector('form');
    form.elements.to.value = list.dataset.list;
    // the list that the card comes from is no option
    if (form.elements.to.value === list.dataset.list) form.requestSubmit();
  });
}
