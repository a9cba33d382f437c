/** The names of the editors, by the selectors of their input elements in the order of the page. */
const editors = [
  ['.graphiql-query-editor .CodeMirror textarea', ['Document']],
  ['.graphiql-editor-tool .CodeMirror textarea', ['Variables', 'Headers']],
  ['.graphiql-response .CodeMirror textarea', ['Response']],
];

function nameEditors() {
  for (const [selector, names] of editors) {
    for (const [place, input] of document.querySelectorAll(selector).entries()) {
      if (!input.ariaLabel && names[place]) input.ariaLabel = names[place];
    }
  }
}

/** GraphiQL's tabs contain buttons, which ARIA forbids: they become a list with a current item. */
function describeTabs() {
  for (const list of document.querySelectorAll('.graphiql-tabs')) list.removeAttribute('role');
  for (const tab of document.querySelectorAll('.graphiql-tab')) {
    const isCurrent = tab.classList.contains('graphiql-tab-active');
    tab.removeAttribute('role');
    tab.removeAttribute('aria-selected');
    tab.querySelector('.graphiql-tab-button')?.setAttribute('aria-current', isCurrent);
  }
}

/** The name of an entry of the history is its visible text, not the effect of a click. */
function nameHistory() {
  const labels = document.querySelectorAll('.graphiql-history-item-label[aria-label]');
  for (const label of labels) label.removeAttribute('aria-label');
}

/** Adds the names and roles for assistive technology that GraphiQL lacks, whenever it renders. */
export function keepLabels() {
  new MutationObserver(() => {
    nameEditors();
    describeTabs();
    nameHistory();
  }).observe(document.body, {
    subtree: true,
    childList: true,
    attributeFilter: ['class', 'role', 'aria-selected'],
  });
}
