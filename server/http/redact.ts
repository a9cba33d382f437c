import { percentDecoded } from '../../schema/kernel/percent-encoding.ts';

/** Names of parameters, headers and log keys whose values are secrets. */
const secretName =
  /token|passw|passphrase|secret|otp|(?:^|[[_-])code|state|signature|credential|authori[sz]ation|cookie|session|private|key|value|sealed|digest|^variables/i;

/** Parameters that can contain other parameters: a GraphQL document, a URL to return to. */
const nestingName = /^(?:query|extensions|return_to|redirect_uri|import_url|url)$|url\]$/i;

const hidden = '[hidden]';

/** Characters; a longer parameter without a value may be a misplaced token. */
const longestFlag = 15;

/** Characters; long error messages repeat their input, and the rest does not help an operator. */
const longestText = 4096;

const isSecretName = (name: string): boolean => secretName.test(name);

const decoded = (text: string) => percentDecoded(text.replaceAll('+', ' '));

function redactPair(pair: string): string {
  const [name = ''] = pair.split('=', 1);
  const plain = decoded(name);
  if (plain === null || isSecretName(plain) || nestingName.test(plain)) return `${name}=${hidden}`;
  if (name === pair) return pair.length > longestFlag ? hidden : pair;
  const value = decoded(pair.slice(name.length + 1));
  return value === null || redactText(value) !== value ? `${name}=${hidden}` : pair;
}

/** A query string for the log: values that may be secret or cannot be decoded are hidden. */
export const redact = (query: string): string => query.split('&').map(redactPair).join('&');

/** The credentials in `https://user:password@host`. */
const userInfo = /(?<=:\/\/)[^\s/@"']+@/g;

/** `name=value`, `name: value`, `"name":"value"`; a header's value may begin with its scheme. */
const assignment =
  /(?<![\w-])([\w-]+)(["'\])]{0,2} ?[=:] ?["']?)((?:Basic |Bearer )?(?:\[hidden\]|[^\s"'&,;)}\]]+))/gi;

/** A text without these characters contains no secrets; true for most texts in request log lines. */
const mayTellSecrets = /[=:@]/;

/** A text for the log, e.g. an error message or the output of a program, with secrets hidden. */
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

/** The same for any value to be logged; errors have their own serializer. */
export function redactValue(value: unknown, depth = deepest): unknown {
  if (typeof value === 'string') return redactText(value);
  if (value === null || typeof value !== 'object' || value instanceof Error) return value;
  if (depth === 0) return hidden;
  if (Array.isArray(value)) return value.map((entry) => redactValue(entry, depth - 1));
  const given = value as Readonly<Record<string, unknown>>;
  // copied only if a value is hidden, which is rare
  let shown: Record<string, unknown> | null = null;
  for (const [name, inner] of Object.entries(given)) {
    const fit = isSecretName(name) && inner !== null ? hidden : redactValue(inner, depth - 1);
    if (fit === inner) continue;
    shown ??= { ...given };
    shown[name] = fit;
  }
  return shown ?? given;
}
