import type { RejectedOperation } from '../../schema/client/execute.ts';

/** A fault in the list of faults. */
export interface Fault {
  readonly code: string;
  readonly message: string;
}

/** The faults of all resources (v4-behaviour 6.3), in the order of the list. */
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

/** SOAP's own codes, in the namespace of the envelope. */
type ProtocolCode = 'Client' | 'Server' | 'MustUnderstand' | 'VersionMismatch';

/** A fault as an error. */
export class SoapFault extends Error implements Fault {
  readonly code: string;
  /** The HTTP status: 500, except for an unreadable message or an unavailable service. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: string, message: string, status = 500, headers = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.headers = headers;
  }
}

/** Errors of the message itself. */
export const protocolFault = (code: ProtocolCode, message: string, status?: number) =>
  new SoapFault(`SOAP-ENV:${code}`, message, status);

/** The message is invalid or not supported. */
export const clientFault = (message: string, status?: number) =>
  protocolFault('Client', message, status);

/** A listed fault, with its own message or a more specific one. */
export const listedFault = ({ code, message }: Fault, text?: string) =>
  new SoapFault(code, text ?? message);

export const tooLargeMessage = 'The answer is too large.';
export const busyMessage = 'The service is busy. Try again later.';

/** A fault while memory is short, written without the SOAP library. */
export const busyEnvelope =
  '<?xml version="1.0" encoding="UTF-8"?>' +
  '<SOAP-ENV:Envelope xmlns:SOAP-ENV="http://schemas.xmlsoap.org/soap/envelope/"><SOAP-ENV:Body>' +
  '<SOAP-ENV:Fault><faultcode>SOAP-ENV:Server</faultcode>' +
  `<faultstring>${busyMessage}</faultstring></SOAP-ENV:Fault>` +
  '</SOAP-ENV:Body></SOAP-ENV:Envelope>';

/** The messages of all requests exceed their memory budget; the rest of this one is not read. */
export const busyFault = () =>
  new SoapFault('SOAP-ENV:Server', busyMessage, 503, { 'Retry-After': '10' });

/** An outage: 503 or 507 instead of SOAP's 500, so that proxies recognize it. */
export const outageFault = ({ message, reason, retryAfter = 1 }: RejectedOperation) =>
  new SoapFault(
    globalFaults.internal.code,
    `${message}. Try again in ${retryAfter} seconds.`,
    reason === 'storage-full' ? 507 : 503,
    { 'Retry-After': String(retryAfter) },
  );
