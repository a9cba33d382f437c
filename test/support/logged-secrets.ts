import type { DestinationStream } from 'pino';

/** The log output of this test file's servers, and the secrets that the file has created. */
let output: string[] = [];
const secrets = new Set<string>();

/** Shorter values also occur in the log as ordinary words. */
const shortest = 10;

const secretKey = /token|password|secret|private_?key|cookie/i;
const withValues = /token|password|secret|private_?key|cookie|^value$/i;

/** The keys whose values are secrets; for paths of variables, also `value`. */
export const secretKeysOf = (path: string): RegExp =>
  /\/variables/.test(path) ? withValues : secretKey;

/** Records every text at a key named after secrets, at any depth. */
export function recordSecrets(value: unknown, keys: RegExp = secretKey): void {
  if (value === null || typeof value !== 'object') return;
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'string') {
      if (inner.length >= shortest && keys.test(name)) secrets.add(inner);
    } else recordSecrets(inner, keys);
  }
}

export const recordOutput = (text: string): void => {
  output.push(text);
};

const errorLine = /^.*"level":"(?:error|fatal)".*$/gm;
const mostErrors = 20;

/** The number of pieces of `output` that were there when the current test began. */
let before = 0;

/** The errors that servers have logged since the last call, as lines; the last ones of many. */
export function takeErrors(): readonly string[] {
  const lines = output.slice(before).join('\n').match(errorLine) ?? [];
  before = output.length;
  return lines.slice(-mostErrors);
}

/** The log destination of servers within the test process. */
export const logSink: DestinationStream = { write: recordOutput };

const token = /[\w-]{10,}/g;
const isWord = /^[\w-]+$/;

/** The secrets that occur in the log; clears the records. */
export function collectLeaks(): readonly string[] {
  const text = output.join('\n');
  // a set of the log's words makes most checks a single lookup
  const words = new Set(text.match(token));
  const leaks = [...secrets].filter((secret) =>
    isWord.test(secret)
      ? words.has(secret)
      : [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)].some((form) =>
          text.includes(form),
        ),
  );
  output = [];
  before = 0;
  secrets.clear();
  return leaks;
}
