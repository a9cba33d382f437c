/** Replaces a secret in the trace. */
const mask = '[MASKED]';

/** Masking shorter values would affect ordinary words. */
const shortest = 6;

/**
 * Masks these values in a stream of bytes, even if chunks split them; each line of a multi-line value is masked separately, because programs print
 * lines. Values shorter than six characters are not masked.
 */
export function maskingOf(secrets: Iterable<string>) {
  const hidden = linesOf(secrets);
  let held = '';
  const show = (text: string, isLast: boolean) => {
    const spans = spansIn(text, hidden);
    const most = isLast ? text.length : beginningsAt(text, hidden);
    const cut = spans.find(({ from, to }) => from < most && most < to)?.from ?? most;
    held = text.slice(cut);
    return Buffer.from(withoutSpans(text.slice(0, cut), spans), 'latin1');
  };
  return {
    /** Returns the bytes that can be shown so far. */
    next: (piece: Uint8Array): Buffer => show(held + Buffer.from(piece).toString('latin1'), false),
    /** Returns the rest at the end of the stream. */
    end: (): Buffer => show(held, true),
  };
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** Bytes, one character each: a chunk may end within a UTF-8 character. */
function linesOf(secrets: Iterable<string>): readonly string[] {
  const lines = new Set<string>();
  for (const secret of secrets) {
    for (const line of secret.split(/\r?\n/)) {
      const trimmed = line.trim();
      if (trimmed.length >= shortest) lines.add(Buffer.from(trimmed).toString('latin1'));
    }
  }
  return [...lines];
}

/** The ranges of secrets, with overlapping and adjacent ones merged. */
function spansIn(text: string, hidden: readonly string[]): readonly Span[] {
  const spans: Span[] = [];
  for (const secret of hidden) {
    for (let from = text.indexOf(secret); from >= 0; from = text.indexOf(secret, from + 1)) {
      spans.push({ from, to: from + secret.length });
    }
  }
  const joined: Span[] = [];
  for (const span of spans.toSorted((a, b) => a.from - b.from)) {
    const last = joined.at(-1);
    if (last && span.from < last.to) {
      joined[joined.length - 1] = { from: last.from, to: Math.max(last.to, span.to) };
    } else joined.push(span);
  }
  return joined;
}

/** The first position from which the text may be the beginning of a secret. */
function beginningsAt(text: string, hidden: readonly string[]): number {
  let first = text.length;
  for (const secret of hidden) {
    const initial = secret[0] ?? '';
    let at = text.indexOf(initial, Math.max(0, text.length - secret.length + 1));
    for (; at >= 0 && at < first; at = text.indexOf(initial, at + 1)) {
      if (secret.startsWith(text.slice(at))) first = at;
    }
  }
  return first;
}

function withoutSpans(text: string, spans: readonly Span[]): string {
  let shown = '';
  let at = 0;
  for (const { from, to } of spans) {
    if (from >= text.length) break;
    shown += text.slice(at, from) + mask;
    at = to;
  }
  return shown + text.slice(at);
}
