// A form is sent once: a second click or Ctrl+Enter, while the server works, would do the same again.
{
  /** Milliseconds after which it may be sent again, because the user stopped the first request. */
  const pause = 5000;
  let sent = new WeakMap();

  document.addEventListener('submit', (event) => {
    const form = event.target;
    if (event.defaultPrevented || form.method !== 'post') return;
    const before = sent.get(form);
    if (before !== undefined && event.timeStamp - before < pause) event.preventDefault();
    else sent.set(form, event.timeStamp);
  });
  // the page may be shown again by the back button
  addEventListener('pageshow', () => {
    sent = new WeakMap();
  });
}
