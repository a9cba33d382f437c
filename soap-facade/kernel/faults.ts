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
  /** Of HTTP: 500 unless nothing of the message was read. */
  readonly status: number;

  constructor(code: string, message: string, status = 500) {
    super(message);
    this.code = code;
    this.status = status;
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
