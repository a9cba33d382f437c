import { createHash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { renderGraphiQL } from '@graphql-yoga/render-graphiql';

/** The explorer page in three encodings, and the policy that allows its scripts. */
export interface ExplorerPage {
  readonly policy: string;
  /** Changes with the page; without quotes. */
  readonly tag: string;
  readonly bodies: Readonly<Record<'br' | 'gzip' | 'identity', Uint8Array<ArrayBuffer>>>;
}

/** Raises the contrast of text that GraphiQL shows too faintly, in light and dark mode. */
const mendedStyle = `
.graphiql-container { --alpha-secondary: 0.9; }
.monaco-editor.vs-dark .line-numbers { color: #b4bcc8 !important; }
/* what the editor calls a comment */
.monaco-editor.vs-dark .mtk8 { color: #9fcb8c !important; }
`;

/** GraphiQL's tabs contain buttons, which ARIA forbids: they become a list with a current item. */
const mendedTabs = `
new MutationObserver(() => {
  for (const list of document.querySelectorAll('.graphiql-tabs')) list.removeAttribute('role');
  for (const tab of document.querySelectorAll('.graphiql-tab')) {
    const isCurrent = tab.classList.contains('graphiql-tab-active');
    tab.removeAttribute('role');
    tab.removeAttribute('aria-selected');
    tab.querySelector('.graphiql-tab-button')?.setAttribute('aria-current', isCurrent);
  }
}).observe(document.documentElement, {
  subtree: true,
  childList: true,
  attributeFilter: ['class', 'role', 'aria-selected'],
});
`;

const hashOf = (script: string) =>
  `'sha256-${createHash('sha256').update(script).digest('base64')}'`;

/** A copy in its own memory, which can be transferred to another thread. */
const transferable = (buffer: Buffer): Uint8Array<ArrayBuffer> => new Uint8Array(buffer);

/** Takes a second: higher levels than 5 and 6 gain little. */
function render(endpoint: string): ExplorerPage {
  const program = renderGraphiQL({ title: 'Millrace GraphQL', endpoint });
  const script = program.slice(
    program.indexOf('<script>') + '<script>'.length,
    program.lastIndexOf('</script>'),
  );
  const end = program.lastIndexOf('</body>');
  const mends = `<style>${mendedStyle}</style><script>${mendedTabs}</script>`;
  const policy = [
    "default-src 'none'",
    `script-src ${hashOf(script)} ${hashOf(mendedTabs)}`,
    'worker-src blob:',
    // the editor sets styles on its elements
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  const page = Buffer.from(program.slice(0, end) + mends + program.slice(end));
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 5,
    [constants.BROTLI_PARAM_SIZE_HINT]: page.length,
  };
  return {
    policy,
    tag: createHash('sha256').update(page).digest('base64url'),
    bodies: {
      br: transferable(brotliCompressSync(page, { params })),
      gzip: transferable(gzipSync(page, { level: 6 })),
      identity: transferable(page),
    },
  };
}

const page = render((workerData as { readonly endpoint: string }).endpoint);
parentPort?.postMessage(
  page,
  Object.values(page.bodies).map(({ buffer }) => buffer),
);
