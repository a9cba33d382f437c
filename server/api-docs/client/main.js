import { watchControls } from './accessible-names.js';
import { fastDocument } from './plugin.js';
import { showSession } from './session.js';

/** Swagger UI has dark colours for this class. */
function followColorScheme() {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  const update = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
  dark.addEventListener('change', update);
  update();
}

/**
 * The OpenAPI document for requests from this page: to the address at which the browser sees the
 * service. The browser sends its session cookie itself, which no script can read; the other
 * credentials are the same in another place, or for requests that the page does not send.
 */
async function loadDocument() {
  const response = await fetch('v4/openapi.json');
  if (!response.ok) throw new Error(`The server responded with ${response.status}`);
  const api = await response.json();
  const { privateToken, accessToken } = api.components.securitySchemes;
  api.components.securitySchemes = { privateToken, accessToken };
  return { ...api, servers: [{ url: new URL('..', location.href).href.replace(/\/$/, '') }] };
}

async function showApi(main) {
  try {
    const spec = await loadDocument();
    const content = document.createElement('div');
    globalThis.SwaggerUIBundle({
      domNode: content,
      spec,
      plugins: [fastDocument],
      // the highlighter has colours of too little contrast
      syntaxHighlight: false,
      docExpansion: 'none',
      filter: true,
      // it puts links into buttons, which screen readers cannot reach
      deepLinking: false,
      // the shapes of responses are shown at their operations
      defaultModelsExpandDepth: -1,
      // the session authenticates reading only
      supportedSubmitMethods: ['get'],
      validatorUrl: null,
    });
    watchControls(content);
    main.replaceChildren(content);
  } catch (error) {
    main.querySelector('p').textContent = `The document could not be loaded. ${error.message}`;
  }
}

followColorScheme();
showSession(document.querySelector('#session'));
showApi(document.querySelector('#api'));
