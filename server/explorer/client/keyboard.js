/** Opens a panel of GraphiQL by its button, unless it is open. */
export const showPanel = (title) =>
  document.querySelector(`button[aria-label="Show ${title}"]`)?.click();

/** Opens the documentation if it is closed, and focuses its search. */
function searchDocs() {
  showPanel('Documentation Explorer');
  // React renders in a microtask after the click
  queueMicrotask(() => document.querySelector('.graphiql-doc-explorer-search input')?.focus());
}

/** Lets Tab leave an editor, in which it would be a keyboard trap; the editor indents by itself. */
function releaseTab({ CodeMirror: editor }) {
  const extraKeys = editor.getOption('extraKeys');
  if (extraKeys?.Tab === false) return;
  editor.setOption('extraKeys', { ...extraKeys, Tab: false, 'Shift-Tab': false });
}

/** Adds what GraphiQL's keyboard control lacks. */
export function listenForShortcuts() {
  addEventListener('keydown', (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.key.toLowerCase() === 'k') {
      event.preventDefault();
      searchDocs();
    }
  });
  addEventListener('focusin', ({ target }) => {
    const editor = target.closest?.('.CodeMirror');
    if (editor) releaseTab(editor);
  });
}
