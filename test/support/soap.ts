import { decoderOf } from '../../soap-facade/kernel/decode.ts';
import { encode } from '../../soap-facade/kernel/encode.ts';
import { readXml, type XmlElement } from '../../soap-facade/kernel/read-xml.ts';
import type { Client } from './client.ts';
import { noteSecrets } from './logged-secrets.ts';
import type { Person } from './seed.ts';
import type { SoapResult } from './soap-program.ts';

/** The bytes of a message that were answered, and with what. */
export interface Posted {
  readonly status: number;
  readonly type: string | null;
  readonly told: SoapResult;
  readonly text: string;
}

export interface SoapClient {
  /** Sends a text as it is. */
  readonly post: (text: string | Buffer, headers?: Record<string, string>) => Promise<Posted>;
  /** Calls an operation with its parts in their order. */
  readonly ask: (operation: string, ...parts: readonly unknown[]) => Promise<SoapResult>;
  /** A session of somebody, signed in by their private token. */
  readonly session: (person: Person) => Promise<string>;
  /** Calls methods of resources as somebody, in a session of their own. */
  readonly as: (person: Person) => (path: string, args?: unknown) => Promise<SoapResult>;
}

/** The envelope of ours, around whatever stands in its body. */
export const envelope = (body: string) =>
  '<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/"' +
  ' xmlns:ns1="urn:millrace" xmlns:xsd="http://www.w3.org/2001/XMLSchema"' +
  ' xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"' +
  ' xmlns:SOAP-ENC="http://schemas.xmlsoap.org/soap/encoding/"' +
  ' xmlns:ns2="http://xml.apache.org/xml-soap">' +
  `<SOAP-ENV:Body>${body}</SOAP-ENV:Body></SOAP-ENV:Envelope>`;

/** A call of an operation whose parts have no names of ours: they count by their place. */
export const message = (operation: string, ...parts: readonly unknown[]) =>
  envelope(
    `<ns1:${operation}>${parts.map((part, place) => encode(`param${place}`, part)).join('')}</ns1:${operation}>`,
  );

const child = (element: XmlElement | undefined, name?: string) =>
  element?.children.find((one) => name === undefined || one.name === name);

/** What an envelope of ours tells. */
export function soapResultOf(text: string): SoapResult {
  const body = child(readXml(text), 'Body');
  const fault = child(body, 'Fault');
  if (fault) {
    const code = child(fault, 'faultcode')?.text ?? '';
    return { fault: { code, message: child(fault, 'faultstring')?.text ?? '' } };
  }
  const value = child(child(body));
  if (!body || !value) throw new Error(`no answer: ${text.slice(0, 500)}`);
  return { result: decoderOf(body, () => false).decode(value, null) };
}

/** A client of the server at `url` that checks the form of every answer. */
export function soapClientOf(url: string): SoapClient {
  const post: SoapClient['post'] = async (text, headers = {}) => {
    const response = await fetch(`${url}/api/soap`, {
      method: 'POST',
      body: typeof text === 'string' ? text : new Uint8Array(text),
      headers: { 'Content-Type': 'text/xml; charset=utf-8', ...headers },
    });
    const answer = await response.text();
    const { status } = response;
    const type = response.headers.get('Content-Type');
    return { status, type, told: soapResultOf(answer), text: answer };
  };
  const ask: SoapClient['ask'] = async (operation, ...parts) => {
    const { status, told } = await post(message(operation, ...parts));
    if (status !== (told.fault ? 500 : 200)) throw new Error(`answered with ${status}`);
    return told;
  };
  const session = async ({ username, token }: Person) => {
    const told = await ask('login', username, token);
    if (told.fault || typeof told.result !== 'string') throw new Error('nobody signed in');
    noteSecrets({ token: told.result });
    return told.result;
  };
  return {
    post,
    ask,
    session,
    as: (person) => {
      let opened: Promise<string> | undefined;
      return async (path, args = null) => {
        opened ??= session(person);
        return ask('call', await opened, path, args);
      };
    },
  };
}

/** What REST gives somebody, in the form that SOAP should tell it in. */
export const restOf =
  (as: (person: Person) => Client) =>
  async (person: Person, path: string): Promise<SoapResult> => ({
    result: (await as(person).get(path)).body,
  });

export interface CreatedIssue {
  readonly id: number;
  readonly iid: number;
}

/** Makes something by REST as somebody, and gives its numbers. */
export const makerOf =
  (client: Client) =>
  async (path: string, given: Record<string, unknown>): Promise<CreatedIssue> => {
    const { status, body } = await client.post(path, given);
    if (status !== 201) throw new Error(`${path} was answered with ${status}`);
    return body as CreatedIssue;
  };

/** The fault of a code. */
export const fault = (code: string, text: string): SoapResult => ({
  fault: { code, message: text },
});

export const denied = fault('2', 'Access denied.');
export const recordNotFound = fault('102', 'Not found');
export const projectNotFound = fault('102', 'Project Not Found');
export const groupNotFound = fault('102', 'Group Not Found');
