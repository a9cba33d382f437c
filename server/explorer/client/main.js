// The program of the explorer: GraphiQL with our guide, in the browser.
import { examples } from './data.js';
import { fetchOperation } from './fetcher.js';
import { exampleTab, guide } from './guide.js';
import { listenForShortcuts, showPanel } from './keyboard.js';
import { keepLabels } from './labels.js';
import { loadCurrentUser, SessionStatus } from './sign-in.js';

const { React, ReactDOM, GraphiQL } = globalThis;
const { createElement: h } = React;

/** Objects that GraphiQL compares by identity. */
const plugins = [guide];
const [firstExample] = examples;
const defaultTabs = [exampleTab(firstExample)];

/**
 * The browser's storage, without the headers of the history: they can hold tokens. Null where the
 * browser allows none.
 */
function explorerStorage() {
  let store;
  try {
    store = globalThis.localStorage;
  } catch {
    return null;
  }
  const withoutHeaders = (text) =>
    JSON.stringify(JSON.parse(text), (name, value) => (name === 'headers' ? undefined : value));
  const isHistory = (key) => key === 'graphiql:queries' || key === 'graphiql:favorites';
  const keys = () => Object.keys(store).filter((key) => key.startsWith('graphiql:'));
  return {
    getItem: (key) => store.getItem(key),
    setItem: (key, text) => store.setItem(key, isHistory(key) ? withoutHeaders(text) : text),
    removeItem: (key) => store.removeItem(key),
    get length() {
      return keys().length;
    },
    clear() {
      for (const key of keys()) store.removeItem(key);
    },
  };
}

const storage = explorerStorage();
// GraphiQL ignores the variables of the first default tab
if (storage && storage.getItem('graphiql:tabState') === null) {
  storage.setItem('graphiql:variables', defaultTabs[0].variables);
}

const root = ReactDOM.createRoot(document.getElementById('explorer'));

/** What is right of the tabs. It opens our panel, because GraphiQL shows none at first. */
function Header() {
  const { plugins: shown } = GraphiQL.React.usePluginStore();
  React.useEffect(() => {
    if (shown.length > 0) showPanel(guide.title);
  }, [shown]);
  return h(SessionStatus);
}

/** Null until it is loaded: GraphiQL then neither checks documents nor asks for the schema. */
function render(schema) {
  root.render(
    h(
      GraphiQL,
      {
        fetcher: fetchOperation,
        schema,
        dangerouslyAssumeSchemaIsValid: true,
        storage,
        plugins,
        defaultTabs,
        defaultQuery: '',
        defaultEditorToolsVisibility: 'variables',
        shouldPersistHeaders: false,
        maxHistoryLength: 50,
      },
      h(GraphiQL.Logo, null, h(Header)),
    ),
  );
}

keepLabels();
render(null);
listenForShortcuts();
loadCurrentUser();
const response = await fetch(new URL('schema.graphql', import.meta.url));
render(GraphiQL.GraphQL.buildSchema(await response.text(), { assumeValidSDL: true }));
