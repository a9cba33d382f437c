import { examples } from './data.js';
import { SignIn } from './sign-in.js';

const { React, GraphiQL } = globalThis;
const { createElement: h } = React;

let tabCount = 0;

/** A tab of GraphiQL with an example. */
export function exampleTab({ name, document, variables }) {
  tabCount += 1;
  const hasVariables = Object.keys(variables).length > 0;
  return {
    id: `${name}-${Date.now()}-${tabCount}`,
    hash: name,
    title: name,
    operationName: name,
    query: document,
    variables: hasVariables ? JSON.stringify(variables, null, 2) : '',
    headers: null,
    response: null,
  };
}

/** Opens an example in a tab of its own, or changes to the tab that has it, and to the editor. */
function useOpenExample() {
  const { tabs, moveTab, changeTab, queryEditor } = GraphiQL.React.useEditorContext({
    nonNull: true,
  });
  return (example) => {
    const existing = tabs.findIndex(({ query }) => query === example.document);
    if (existing < 0) moveTab([...tabs, exampleTab(example)]);
    changeTab(existing < 0 ? tabs.length : existing);
    queryEditor?.focus();
    // React renders the tab in a microtask
    queueMicrotask(() =>
      document.querySelector('.graphiql-tab-active')?.scrollIntoView({ block: 'nearest' }),
    );
  };
}

function Examples({ label, signedIn }) {
  const open = useOpenExample();
  const shown = examples.filter((example) => example.signedIn === signedIn);
  return h(
    React.Fragment,
    null,
    h('h3', null, label),
    h(
      'ul',
      { className: 'examples' },
      shown.map((example) =>
        h(
          'li',
          { key: example.name },
          h('button', { type: 'button', onClick: () => open(example) }, example.title),
        ),
      ),
    ),
  );
}

const shortcuts = [
  ['Ctrl-Enter', 'run the document'],
  ['Ctrl-Space', 'complete a name'],
  ['Ctrl-K', 'search the documentation'],
  ['Shift-Ctrl-P', 'format the document'],
  ['Tab', 'leave the editor'],
];

function Guide() {
  return h(
    'section',
    { className: 'guide', 'aria-labelledby': 'guide-title' },
    h('h2', { id: 'guide-title' }, 'Millrace GraphQL'),
    h(
      'p',
      null,
      'One request reads what several REST requests would: projects, issues, merge requests and ' +
        'pipelines with what belongs to them. Choose an example, run it with Ctrl-Enter, then ' +
        'change it: the editor completes names, and the documentation describes each of them.',
    ),
    h('p', null, h('a', { href: 'api/docs' }, 'Documentation of the REST API')),
    h(Examples, { label: 'Examples', signedIn: false }),
    h('h3', null, 'Signed in or anonymous'),
    h(SignIn),
    h(Examples, { label: 'Examples for signed-in users', signedIn: true }),
    h('h3', null, 'Keyboard'),
    h(
      'dl',
      null,
      shortcuts.map(([keys, effect]) =>
        h('div', { key: keys }, h('dt', null, h('kbd', null, keys)), h('dd', null, effect)),
      ),
    ),
  );
}

const GuideIcon = (properties) =>
  h(
    'svg',
    { viewBox: '0 0 24 24', fill: 'none', stroke: 'currentColor', strokeWidth: 1.5, ...properties },
    h('circle', { cx: 12, cy: 12, r: 9 }),
    h('path', { d: 'M9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.6.3-1 .8-1 1.5v.7M12 17v.2' }),
  );

/** The panel with welcome text, sign-in and examples, a plugin of GraphiQL. */
export const guide = { title: 'Guide', icon: GuideIcon, content: Guide };
