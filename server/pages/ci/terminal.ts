import type { WorkerTask } from '../../../schema/ports/worker-pool.ts';
import { type Html, html } from '../kernel/html.ts';
import { classesOf, restyled, type TerminalStyle, usual } from './terminal-style.ts';

/** The most styled runs in a page; the rest is plain text. */
const mostRuns = 20_000;

const [bell, backspace, esc] = [7, 8, 27].map((code) => String.fromCharCode(code));
const controls = `\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f`;

/** The section markers of a runner. */
const marker = '(section_(?:start|end):\\d+:[\\w.-]+(?:\\[[^\\]\\r\\n]{0,200}\\])?(?=\\r|$))';
const command = `${esc}\\[([0-?]{0,99})[ -/]{0,9}([@-~])`;
const title = `${esc}[\\]P^_][^${bell}${esc}]{0,4096}(?:${bell}|${esc}\\\\)`;
const tokens = new RegExp(
  `${marker}|${command}|${title}|${esc}[ -/]?[0-~]?|(\\r\\n|\\n|\\r)|[${controls}]|` +
    // plain text up to the possible start of a marker
    `((?:(?!section_)[^\\r\\n${controls}])+|s)`,
  'gu',
);

interface Run {
  /** The text in pieces: truncating one long string would copy it each time. */
  readonly pieces: string[];
  readonly classes: string;
}

interface Line {
  readonly runs: Run[];
  /** The next text overwrites the line. */
  isReturned: boolean;
  isMarked: boolean;
}

const blank = (): Line => ({ runs: [], isReturned: false, isMarked: false });

/**
 * Terminal output as markup: colours and styles become classes, overwritten lines show their last
 * state; section markers and all other control sequences are removed.
 */
export function terminalText(text: string): Html {
  const lines: Html[] = [];
  let [style, count, line] = [usual, 0, blank()];
  const end = (ending: string) => {
    if (!line.isMarked || line.runs.length > 0)
      lines.push(html`${line.runs.map(markupOf)}${ending}`);
    line = blank();
  };
  for (const [token, mark, parameters = '', letter, ending, plain] of text.matchAll(tokens)) {
    if (plain !== undefined) {
      count += write(
        line,
        plain,
        count < mostRuns ? style : { ...usual, isHidden: style.isHidden },
      );
    } else if (ending === '\r') {
      line.isReturned = true;
    } else if (ending !== undefined) {
      end('\n');
    } else if (mark !== undefined) {
      line.isMarked = true;
    } else if (letter === 'm') {
      style = restyled(style, parameters);
    } else if (letter === 'K') {
      erase(line, parameters);
    } else if (token === backspace) {
      shorten(line);
    }
  }
  end('');
  return html`${lines}`;
}

/** Returns the number of runs added to the line. */
function write(line: Line, text: string, style: TerminalStyle): number {
  if (style.isHidden) return 0;
  if (line.isReturned) line.runs.length = 0;
  line.isReturned = false;
  const classes = classesOf(style);
  const last = line.runs.at(-1);
  if (last?.classes !== classes) return line.runs.push({ pieces: [text], classes }) && 1;
  last.pieces.push(text);
  return 0;
}

function erase(line: Line, parameters: string): void {
  if (line.isReturned || parameters === '1' || parameters === '2') line.runs.length = 0;
}

function shorten({ runs }: Line): void {
  const last = runs.at(-1);
  if (!last) return;
  const piece = last.pieces.pop() ?? '';
  if (piece.length > 1) last.pieces.push(piece.slice(0, -1));
  if (last.pieces.length === 0) runs.pop();
}

const markupOf = ({ pieces, classes }: Run): Html => {
  const text = pieces.join('');
  return classes === '' ? html`${text}` : html`<span class="${classes}">${text}</span>`;
};

/** Characters: the worst text found of this length takes 3 ms, and some 35 ms as the first one. */
const small = 8 * 1024;

export const terminalTask: WorkerTask<string, Html> = {
  kind: 'trace',
  subject: 'The trace',
  module: import.meta.url,
  work: terminalText,
  timeLimit: 5_000,
  isSmall: ({ length }) => length <= small,
};
