import type { Refused } from '../../schema/client/execute.ts';

/** A fault as callers list it. */
export interface Fault {
  readonly code: string;
  readonly message: string;
}

/** The faults every resource shares (v4-behaviour 6.3), in the order they are listed. */
export const globalFaults = {
  unknown: { code: '0', message: 'Unknown Error' },
  internal: { code: '1', message: 'Internal Error. Please see log for details.' },
  accessDenied: { code: '2', message: 'Access denied.' },
  pathInvalid: { code: '3', message: 'Invalid api path.' },
  pathNotCallable: { code: '4', message: 'Resource path is not callable.' },
  sessionExpired: { code: '5', message: 'Session expired. Try to relogin.' },
  parameterMissing: {
    code: '6',
    message: 'Required parameter is missing, for more details see "exception.log".',
  },
} as const satisfies Record<string, Fault>;

/** Codes of SOAP itself, which stand in the namespace of the envelope. */
type ProtocolCode = 'Client' | 'Server' | 'MustUnderstand' | 'VersionMismatch';

/** A fault on its way to the caller. */
export class SoapFault extends Error implements Fault {
  readonly code: string;
  /** Of HTTP: 500 unless nothing of the message was read, or the service is unavailable. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: string, message: string, status = 500, headers = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.headers = headers;
  }
}

/** What is wrong with the message itself. */
export const protocolFault = (code: ProtocolCode, message: string, status?: number) =>
  new SoapFault(`SOAP-ENV:${code}`, message, status);

/** The caller sent what cannot be read, or not by us. */
export const clientFault = (message: string, status?: number) =>
  protocolFault('Client', message, status);

/** One of the faults that are listed, in its own words or in better ones. */
export const listedFault = ({ code, message }: Fault, text?: string) =>
  new SoapFault(code, text ?? message);

/** A fault of a busy service, for where no library is loaded to write one: memory is short. */
export const busyEnvelope =
  '<?xml version="1.0" encoding="UTF-8"?>' +
  '<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/"><SOAP-ENV:Body>' +
  '<SOAP-ENV:Fault><faultcode>SOAP-ENV:Server</faultcode>' +
  '<faultstring>The service is busy. Try again later.</faultstring></SOAP-ENV:Fault>' +
  '</SOAP-ENV:Body></SOAP-ENV:Envelope>';

/** The messages of all callers together take too much memory: the rest of this one is not read. */
export const busyFault = () =>
  new SoapFault('SOAP-ENV:Server', 'The service is busy. Try again later.', 503, {
    'Retry-After': '10',
  });

/** A part of the service fails: 503 or 507, where SOAP's other faults are 500, so that proxies see it. */
export const outageFault = ({ message, reason, retryAfter = 1 }: Refused) =>
  new SoapFault(
    globalFaults.internal.code,
    `${message}. Try again in ${retryAfter} seconds.`,
    reason === 'storage-full' ? 507 : 503,
    { 'Retry-After': String(retryAfter) },
  );
