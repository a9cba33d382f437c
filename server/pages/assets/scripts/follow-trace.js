// Follows the log of a running job by a subscription (docs/graphql.md). It appends new output, and
// reloads the page for everything else: when the status changes, and if the stream fails.

const { endpoint, job, status, offset } = document.currentScript.dataset;

/** Milliseconds until the page is reloaded after a failure, as it is without scripts. */
const pause = 5000;
/** Characters that the script appends before a reload shortens the log again. */
const most = 1_000_000;
const esc = String.fromCharCode(27);

const log = document.querySelector('.trace pre');
let next = Number(offset);
let events = null;
let appended = 0;

const reload = () => location.reload();

function query() {
  const fields = 'text nextOffset status isComplete';
  return `subscription FollowTrace { jobTraceAppended(jobId: ${job}, offset: ${next}) { ${fields} } }`;
}

function open() {
  close();
  events = new EventSource(`${endpoint}?query=${encodeURIComponent(query())}`);
  events.addEventListener('next', ({ data }) => receive(JSON.parse(data).data?.jobTraceAppended));
  events.addEventListener('complete', fail);
  events.addEventListener('error', fail);
  say('New output appears as it arrives.');
}

function close() {
  events?.close();
  events = null;
}

function fail() {
  close();
  say('The connection was lost. The page is loaded again in a moment.');
  setTimeout(reloadOnline, pause);
}

/** A reload without a network would replace the log by an error of the browser. */
function reloadOnline() {
  if (navigator.onLine) reload();
  else addEventListener('online', reload, { once: true });
}

function say(text) {
  document.querySelector('[data-refreshing]').textContent = text;
}

function receive(piece) {
  // an error: `complete` follows
  if (!piece) return;
  next = piece.nextOffset;
  if (piece.isComplete || piece.status.toLowerCase() !== status) {
    close();
    reload();
  } else if (piece.text !== '') {
    // the page has no log yet, or a long one
    if (!log || appended > most) return reload();
    appended += piece.text.length;
    write(piece.text);
  }
}

// Terminal output as in terminal.ts, for what runners usually write: colours and styles, and lines
// that are overwritten. The reload at the end shows the rest.

let carried = '';
let isReturned = false;
/** The elements of the last line. */
let line = [];
let style = {};

const styles = { 1: 'bold', 3: 'italic', 4: 'underlined', 7: 'inverse', 9: 'struck' };
const endings = { 22: 'bold', 23: 'italic', 24: 'underlined', 27: 'inverse', 29: 'struck' };
const controls = '\\u0000-\\u0009\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f';
const tokens = new RegExp(
  `section_(?:start|end):\\d+:[\\w.-]+(?:\\[[^\\]\\r\\n]{0,200}\\])?\\r(?:${esc}\\[0K)?` +
    `|${esc}\\[([0-9;]{0,99})([A-Za-z])|(\\r\\n|\\n|\\r)|((?:(?!section_)[^\\r\\n${controls}]|\\t)+|s)|[^]`,
  'gu',
);
/** A sequence that the next piece may complete. */
const incomplete = new RegExp(`(?:${esc}\\[?[0-9;]{0,99}|section_[^\\r\\n]{0,300}|\\r)$`, 'u');

function write(piece) {
  const text = carried + piece;
  const [rest = ''] = incomplete.exec(text) ?? [];
  carried = rest;
  const fragment = document.createDocumentFragment();
  for (const [, codes, letter, ending, plain] of text
    .slice(0, text.length - rest.length)
    .matchAll(tokens)) {
    if (plain !== undefined) append(fragment, plain);
    else if (ending === '\r') isReturned = true;
    else if (ending !== undefined) endLine(fragment);
    else if (letter === 'm') restyle(codes);
    else if (letter === 'K' && isReturned) clearLine();
  }
  log.append(fragment);
}

function clearLine() {
  for (const element of line) element.remove();
  line = [];
}

function append(fragment, text) {
  if (isReturned) clearLine();
  isReturned = false;
  const element = document.createElement('span');
  const { f: _, ...others } = style;
  // a class of the background sets a text colour that is readable on it
  element.className = Object.values(style.b ? others : style).join(' ');
  element.textContent = text;
  line.push(element);
  fragment.append(element);
}

function endLine(fragment) {
  fragment.append('\n');
  line = [];
  isReturned = false;
}

/** Applies `ESC [ … m`. */
function restyle(parameters) {
  const codes = parameters.split(';').map(Number);
  for (let place = 0; place < codes.length; place += 1) {
    const code = codes[place];
    if (code === 38 || code === 48) {
      if (codes[place + 1] === 5) colour(code === 38 ? 'f' : 'b', codes[place + 2]);
      place += codes[place + 1] === 5 ? 2 : 4;
    } else if (code === 0) style = {};
    else if (styles[code]) style[styles[code]] = styles[code];
    else if (endings[code]) delete style[endings[code]];
    else if (code === 39) delete style.f;
    else if (code === 49) delete style.b;
    else if (code >= 30 && code < 38) colour('f', code - 30);
    else if (code >= 40 && code < 48) colour('b', code - 40);
    else if (code >= 90 && code < 98) colour('f', code - 82);
    else if (code >= 100 && code < 108) colour('b', code - 92);
  }
}

function colour(kind, number) {
  if (number >= 0 && number < 256) style[kind] = `${kind}${number}`;
}

// a hidden tab needs no stream; browsers open six at most to one server
document.addEventListener('visibilitychange', () => {
  if (document.hidden) close();
  else reload();
});
addEventListener('pagehide', close);
if (!document.hidden) open();
