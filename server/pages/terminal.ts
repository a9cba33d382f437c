import type { WorkerTask } from '../../schema/ports/worker-pool.ts';
import { type Html, html } from './html.ts';
import { classesOf, restyled, type TerminalStyle, usual } from './terminal-style.ts';

/** Runs of text in a style of their own that a page has room for; the rest is plain. */
const mostRuns = 20_000;

const [bell, backspace, esc] = [7, 8, 27].map((code) => String.fromCharCode(code));
const controls = `\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f`;

/** What a runner says of where parts of a job begin and end. */
const marker = '(section_(?:start|end):\\d+:[\\w.-]+(?:\\[[^\\]\\r\\n]{0,200}\\])?(?=\\r|$))';
const command = `${esc}\\[([0-?]{0,99})[ -/]{0,9}([@-~])`;
const title = `${esc}[\\]P^_][^${bell}${esc}]{0,4096}(?:${bell}|${esc}\\\\)`;
const tokens = new RegExp(
  `${marker}|${command}|${title}|${esc}[ -/]?[0-~]?|(\\r\\n|\\n|\\r)|[${controls}]|` +
    // what is plain: as much as there is of it up to what may be the beginning of a marker
    `((?:(?!section_)[^\\r\\n${controls}])+|s)`,
  'gu',
);

interface Run {
  /** What was written, piece by piece: erasing the end of one long text would copy it each time. */
  readonly pieces: string[];
  readonly classes: string;
}

/** The line that is being written. */
interface Line {
  readonly runs: Run[];
  /** Whatever comes next is written over what is there. */
  isReturned: boolean;
  isMarked: boolean;
}

const blank = (): Line => ({ runs: [], isReturned: false, isMarked: false });

/**
 * What a terminal wrote, as markup: colours and styles as classes, lines that were written over as
 * they were left, a runner's marks of sections left out, and everything else that moves or clears, too.
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

/** Gives how many runs came to the line. */
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
