/** A refusal of a request body; `catchErrors` sends its status, headers and body. */
const unusable = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  Object.assign(new Error(`Request body refused with ${status}`), {
    status,
    body,
    headers,
    expose: true,
  });

export const malformed = () =>
  unusable(400, { error: 'message body does not match declared format' });

export const foreignEncoding = (encoding: string) =>
  unusable(415, { error: `The requested content-encoding '${encoding}' is not supported.` });

export const tooLong = (isDrained: boolean) =>
  unusable(
    413,
    { message: '413 Request Entity Too Large' },
    isDrained ? {} : { Connection: 'close' },
  );

export const unsupported = (type: string) =>
  unusable(406, { error: `The requested content-type '${type}' is not supported.` });

/** The bodies of all requests exceed their budget; the rest of this one is not read. */
export const busy = () =>
  unusable(
    503,
    { message: '503 Service Unavailable' },
    { 'Retry-After': '10', Connection: 'close' },
  );
