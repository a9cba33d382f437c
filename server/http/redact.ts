/** The one list of names whose values are secrets: parameters, headers, keys of a log line. */
const secretName =
  /token|passw|passphrase|secret|otp|(?:^|[[_-])code|state|signature|credential|authori[sz]ation|cookie|session|private|key|value|sealed|digest|^variables/i;

/** Parameters that carry further parameters: a GraphQL document, an address to return to. */
const nestingName = /^(?:query|extensions|return_to|redirect_uri|import_url|url)$|url\]$/i;

const hidden = '[hidden]';

/** A parameter without a name that is longer than any flag may be a token in the wrong place. */
const longestFlag = 15;

/** A long error message repeats its input; what follows is of no use to an operator. */
const longestText = 4096;

export const isSecretName = (name: string): boolean => secretName.test(name);

const decoded = (name: string) => {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return null;
  }
};

function redactPair(pair: string): string {
  const [name = ''] = pair.split('=', 1);
  const plain = decoded(name);
  if (plain === null || isSecretName(plain) || nestingName.test(plain)) return `${name}=${hidden}`;
  if (name === pair) return pair.length > longestFlag ? hidden : pair;
  const value = decoded(pair.slice(name.length + 1));
  return value === null || redactText(value) !== value ? `${name}=${hidden}` : pair;
}

/** A query string fit for a log: what may be a secret, or cannot be read, loses its value. */
export const redact = (query: string): string => query.split('&').map(redactPair).join('&');

/** `https://user:password@host`, of which the host is left. */
const userInfo = /(?<=:\/\/)[^\s/@"']+@/g;

/** `name=value`, `name: value`, `"name":"value"`; a header's value may begin with its scheme. */
const assignment =
  /(?<![\w-])([\w-]+)(["'\])]{0,2} ?[=:] ?["']?)((?:Basic |Bearer )?(?:\[hidden\]|[^\s"'&,;)}\]]+))/gi;

/** Without one of these no text has credentials or names a value: most texts of a request line. */
const mayTellSecrets = /[=:@]/;

/** Text of our own or of a program that was called, fit for a log. */
export function redactText(text: string): string {
  const shown = text.length > longestText ? text.slice(0, longestText) : text;
  if (!mayTellSecrets.test(shown)) return shown;
  return shown
    .replace(userInfo, `${hidden}@`)
    .replace(assignment, (whole, name: string, between: string) =>
      isSecretName(name) ? `${name}${between}${hidden}` : whole,
    );
}

const deepest = 4;

/** The same of anything that is to be logged; an error is left to its serializer. */
export function redactValue(value: unknown, depth = deepest): unknown {
  if (typeof value === 'string') return redactText(value);
  if (value === null || typeof value !== 'object' || value instanceof Error) return value;
  if (depth === 0) return hidden;
  if (Array.isArray(value)) return value.map((entry) => redactValue(entry, depth - 1));
  const given = value as Readonly<Record<string, unknown>>;
  // most lines tell no secret: those are not copied
  let shown: Record<string, unknown> | null = null;
  for (const [name, inner] of Object.entries(given)) {
    const fit = isSecretName(name) && inner !== null ? hidden : redactValue(inner, depth - 1);
    if (fit === inner) continue;
    shown ??= { ...given };
    shown[name] = fit;
  }
  return shown ?? given;
}
