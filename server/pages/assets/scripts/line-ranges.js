// Marks the lines in an address such as `#L3-L9`. A click with Shift on the number of a line extends
// the range to it.
for (const source of document.querySelectorAll('[data-lines]')) {
  const numberIn = (hash) => Number(/^#L(\d+)/.exec(hash)?.[1] ?? 0);
  const lineAt = (number) => document.getElementById(`L${number}`);

  const mark = () => {
    for (const line of source.querySelectorAll('.marked')) line.classList.remove('marked');
    const [, start, end] = /^#L(\d+)(?:-L?(\d+))?$/.exec(location.hash) ?? [];
    if (!start) return null;
    const [first, last] = [Number(start), Number(end ?? start)].sort((a, b) => a - b);
    for (let number = first; number <= last; number += 1) {
      const line = lineAt(number);
      if (!line) break;
      line.classList.add('marked');
    }
    return lineAt(first);
  };

  source.addEventListener('click', (event) => {
    const link = event.target.closest('.line-numbers a');
    const start = numberIn(location.hash);
    if (!link || !event.shiftKey || start === 0) return;
    event.preventDefault();
    const [first, last] = [start, numberIn(link.hash)].sort((a, b) => a - b);
    history.replaceState(null, '', `#L${first}-L${last}`);
    mark();
  });
  addEventListener('hashchange', mark);
  const first = mark();
  if (location.hash.includes('-')) first?.scrollIntoView({ block: 'center' });
}
