// Replaces each element with `data-replace` by the part of a page at that address: by what takes the
// server too long for the page itself.
for (const element of document.querySelectorAll('[data-replace]')) {
  fetch(element.dataset.replace).then(
    async (response) => {
      if (response.ok) element.outerHTML = await response.text();
    },
    () => {},
  );
}
