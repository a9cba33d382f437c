/** The names of controls to which Swagger UI gives none, or one that differs from their text. */
const nameOf = {
  'tr[data-param-name] select': (select) => select.closest('tr').dataset.paramName,
  // the schema of a list has no title
  'button.json-schema-2020-12-accordion': (button) => button.textContent.trim() || 'Schema',
  'button.close-modal': () => 'Close',
  'button.modal-btn[aria-label]': (button) => button.textContent,
};

function nameControls(content) {
  for (const [selector, name] of Object.entries(nameOf)) {
    for (const control of content.querySelectorAll(selector)) {
      const label = name(control);
      if (control.ariaLabel !== label) control.ariaLabel = label;
    }
  }
}

/** Names controls for screen readers as soon as Swagger UI adds them. */
export function watchControls(content) {
  new MutationObserver(() => nameControls(content)).observe(content, {
    childList: true,
    subtree: true,
  });
}
