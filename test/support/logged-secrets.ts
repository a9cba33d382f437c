import type { DestinationStream } from 'pino';

/** What the servers of this test file have logged, and the secrets that it made meanwhile. */
let output: string[] = [];
const secrets = new Set<string>();

/** Shorter ones are ordinary words in the log as well. */
const shortest = 10;

const secretKey = /token|password|secret|private_?key|cookie/i;
const withValues = /token|password|secret|private_?key|cookie|^value$/i;

/** The keys whose values are secrets; below variables their values are. */
export const secretKeysOf = (path: string): RegExp =>
  /\/variables/.test(path) ? withValues : secretKey;

/** Notes every text at a key that is named after secrets, however deep. */
export function noteSecrets(value: unknown, keys: RegExp = secretKey): void {
  if (value === null || typeof value !== 'object') return;
  for (const [name, inner] of Object.entries(value)) {
    if (typeof inner === 'string') {
      if (inner.length >= shortest && keys.test(name)) secrets.add(inner);
    } else noteSecrets(inner, keys);
  }
}

export const noteOutput = (text: string): void => {
  output.push(text);
};

/** Where servers within the test process log to. */
export const logSink: DestinationStream = { write: noteOutput };

const word = /[\w-]{10,}/g;
const isWord = /^[\w-]+$/;

/** The secrets that were logged; what was noted is forgotten. */
export function takeLeaks(): readonly string[] {
  const text = output.join('\n');
  // a log has fewer different words than characters: most secrets cost one look
  const words = new Set(text.match(word));
  const leaks = [...secrets].filter((secret) =>
    isWord.test(secret)
      ? words.has(secret)
      : [secret, encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)].some((form) =>
          text.includes(form),
        ),
  );
  output = [];
  secrets.clear();
  return leaks;
}
