const secret = /token|password|secret|otp|(?:^|[[_])code|state|signature|key|value|^variables/i;

const decoded = (name: string) => {
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return null;
  }
};

/** A query string fit for a log: what may be a secret, or cannot be read, loses its value. */
export const redact = (query: string): string =>
  query
    .split('&')
    .map((pair) => {
      const [name = ''] = pair.split('=', 1);
      const plain = decoded(name);
      return plain === null || secret.test(plain) ? `${name}=[hidden]` : pair;
    })
    .join('&');
