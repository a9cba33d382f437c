import { createHash } from 'node:crypto';
import type Koa from 'koa';

interface Explorer {
  readonly page: string;
  readonly policy: string;
}

const explorers = new Map<string, Promise<Explorer>>();

/** The explorer from our own host: one page, whose scripts the browser knows by their hashes. */
export async function sendExplorer(ctx: Koa.Context, endpoint: string): Promise<void> {
  const known = explorers.get(endpoint) ?? renderExplorer(endpoint);
  explorers.set(endpoint, known);
  const { page, policy } = await known;
  ctx.type = 'html';
  ctx.set('Content-Security-Policy', policy);
  ctx.body = page;
}

/** Enough contrast for what the program shows too faintly, in light and in dark. */
const mendedStyle = `
.graphiql-container { --alpha-secondary: 0.9; }
.monaco-editor.vs-dark .line-numbers { color: #b4bcc8 !important; }
/* what the editor calls a comment */
.monaco-editor.vs-dark .mtk8 { color: #9fcb8c !important; }
`;

/** Its tabs hold buttons, which tabs must not: they become a list, whose current item says so. */
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

/** Loaded at the first visit: it is nine megabytes that most processes never need. */
async function renderExplorer(endpoint: string): Promise<Explorer> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
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
  return { page: program.slice(0, end) + mends + program.slice(end), policy };
}
