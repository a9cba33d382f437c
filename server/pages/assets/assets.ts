import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { terminalColours } from './terminal-colours.ts';

/** A file that all pages share. */
export interface Asset {
  /** The name changes with the content, so that browsers can cache the file. */
  readonly path: string;
  readonly content: string;
  readonly type: string;
}

const read = (name: string): string => readFileSync(new URL(name, import.meta.url), 'utf8');

function asset(content: string, ending: 'css' | 'js'): Asset {
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 16);
  return {
    path: `/assets/${hash}.${ending}`,
    content,
    type: ending === 'css' ? 'text/css' : 'text/javascript',
  };
}

/** The parts of the stylesheet, in the order of the cascade. */
const styles = 'base layout forms lists discussions issuables code source diff trace print'.split(
  ' ',
);

/** Without comments, indentation and line breaks: a fifth of the text. */
const compact = (css: string): string =>
  css
    .replaceAll(/\/\*[^*]*\*\//g, '')
    .replaceAll(/([{};,:])\n */g, '$1')
    .replaceAll(/\n */g, ' ');

/** The parts of the script of all pages; each is a block of its own. */
const scripts = [
  ...['menus', 'shortcuts', 'copy', 'markdown', 'diffs', 'boards'],
  ...['line-ranges', 'live-search', 'load-later', 'suggest', 'submit-once'],
];

export const stylesheet = asset(
  compact(styles.map((name) => read(`styles/${name}.css`)).join('')),
  'css',
);

/** The colours of logs, which only the page of a job needs. */
export const terminalStylesheet = asset(terminalColours, 'css');

export const siteScript = asset(scripts.map((name) => read(`scripts/${name}.js`)).join('\n'), 'js');

/** Follows the log of a running job. */
export const followTraceScript = asset(read('scripts/follow-trace.js'), 'js');

/** The assets by their paths. */
export const assets: ReadonlyMap<string, Asset> = new Map(
  [stylesheet, terminalStylesheet, siteScript, followTraceScript].map((file) => [file.path, file]),
);
