// Replaces each element with `data-replace` by the part of a page at that address: by what takes the
// server too long for the page itself.
for (const element of document.querySelectorAll('[data-replace]')) {
  // without a session it redirects to the sign-in page, which is no part of this one
  fetch(element.dataset.replace, { redirect: 'error' }).then(
    async (response) => {
      if (response.ok) element.outerHTML = await response.text();
    },
    () => {},
  );
}
