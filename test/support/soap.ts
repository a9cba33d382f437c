import { decoderOf } from '../../soap-facade/kernel/decode.ts';
import { encode } from '../../soap-facade/kernel/encode.ts';
import { readXml, type XmlElement } from '../../soap-facade/kernel/read-xml.ts';
import type { Client } from './client.ts';
import { recordSecrets } from './logged-secrets.ts';
import type { TestUser } from './seed.ts';
import type { SoapResult } from './soap-program.ts';

/** The response to a message. */
export interface SoapResponse {
  readonly status: number;
  readonly type: string | null;
  readonly outcome: SoapResult;
  readonly text: string;
}

export interface SoapClient {
  /** Posts a text unchanged. */
  readonly post: (text: string | Buffer, headers?: Record<string, string>) => Promise<SoapResponse>;
  /** Calls an operation with its parts in order. */
  readonly invoke: (operation: string, ...parts: readonly unknown[]) => Promise<SoapResult>;
  /** Signs a user in with their private token; gives the session id. */
  readonly session: (user: TestUser) => Promise<string>;
  /** Calls resource methods as a user, in a separate session. */
  readonly as: (user: TestUser) => (path: string, args?: unknown) => Promise<SoapResult>;
}

/** An envelope with this body, in the form that Millrace itself writes. */
export const envelope = (body: string) =>
  '<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/"' +
  ' xmlns:ns1="urn:millrace" xmlns:xsd="http://www.w3.org/2001/XMLSchema"' +
  ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"' +
  ' xmlns:SOAP-ENC="http://schemas.xmlsoap.org/soap/encoding/"' +
  ' xmlns:ns2="http://xml.apache.org/xml-soap">' +
  `<SOAP-ENV:Body>${body}</SOAP-ENV:Body></SOAP-ENV:Envelope>`;

/** A call of an operation with positional parts: `param0`, `param1` and so on. */
export const message = (operation: string, ...parts: readonly unknown[]) =>
  envelope(
    `<ns1:${operation}>${parts.map((part, index) => encode(`param${index}`, part)).join('')}</ns1:${operation}>`,
  );

const child = (element: XmlElement | undefined, name?: string) =>
  element?.children.find((element) => name === undefined || element.name === name);

/** The result or fault in a response envelope. */
export function soapResultOf(text: string): SoapResult {
  const body = child(readXml(text), 'Body');
  const fault = child(body, 'Fault');
  if (fault) {
    const code = child(fault, 'faultcode')?.text ?? '';
    return { fault: { code, message: child(fault, 'faultstring')?.text ?? '' } };
  }
  const value = child(child(body));
  if (!body || !value) throw new Error(`no response: ${text.slice(0, 500)}`);
  return { result: decoderOf(body, () => false).decode(value, null) };
}

/** A client of the server at `url` that checks the form of every response. */
export function soapClientOf(url: string): SoapClient {
  const post: SoapClient['post'] = async (text, headers = {}) => {
    const response = await fetch(`${url}/api/soap`, {
      method: 'POST',
      body: typeof text === 'string' ? text : new Uint8Array(text),
      headers: { 'Content-Type': 'text/xml; charset=utf-8', ...headers },
    });
    const responseText = await response.text();
    const { status } = response;
    const type = response.headers.get('Content-Type');
    return { status, type, outcome: soapResultOf(responseText), text: responseText };
  };
  const invoke: SoapClient['invoke'] = async (operation, ...parts) => {
    const { status, outcome } = await post(message(operation, ...parts));
    if (status !== (outcome.fault ? 500 : 200)) throw new Error(`responded with ${status}`);
    return outcome;
  };
  const session = async ({ username, token }: TestUser) => {
    const outcome = await invoke('login', username, token);
    if (outcome.fault || typeof outcome.result !== 'string') throw new Error('the login failed');
    recordSecrets({ token: outcome.result });
    return outcome.result;
  };
  return {
    post,
    invoke,
    session,
    as: (user) => {
      let opened: Promise<string> | undefined;
      return async (path, args = null) => {
        opened ??= session(user);
        return invoke('call', await opened, path, args);
      };
    },
  };
}

/** The REST response for a user, in the form that SOAP should return. */
export const restOf =
  (as: (user: TestUser) => Client) =>
  async (user: TestUser, path: string): Promise<SoapResult> => ({
    result: (await as(user).get(path)).body,
  });

export interface CreatedIssue {
  readonly id: number;
  readonly iid: number;
}

/** Creates a record over REST, and gives its ids. */
export const creatorOf =
  (client: Client) =>
  async (path: string, fields: Record<string, unknown>): Promise<CreatedIssue> => {
    const { status, body } = await client.post(path, fields);
    if (status !== 201) throw new Error(`${path} responded with ${status}`);
    return body as CreatedIssue;
  };

/** A fault with a code and a text. */
export const fault = (code: string, text: string): SoapResult => ({
  fault: { code, message: text },
});

export const denied = fault('2', 'Access denied.');
export const recordNotFound = fault('102', 'Not found');
export const projectNotFound = fault('102', 'Project Not Found');
export const groupNotFound = fault('102', 'Group Not Found');
