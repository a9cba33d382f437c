import { STATUS_CODES } from 'node:http';
import type { Outcome } from '../../schema/client/endpoint.ts';
import {
  busyMessage,
  type Fault,
  globalFaults,
  listedFault,
  SoapFault,
  tooLargeMessage,
} from './faults.ts';
import { type Method, nounOf, type Resource } from './resource.ts';

/** The faults of a resource, from 100 (v4-behaviour 6.3), in the order of the list. */
export function faultsOf(resource: Resource) {
  const noun = nounOf(resource);
  return {
    dataInvalid: { code: '100', message: `Invalid ${noun} data. Details in error message.` },
    filtersInvalid: {
      code: '101',
      message: 'Invalid filters specified. Details in error message.',
    },
    notExists: { code: '102', message: `Requested ${noun} not exists.` },
    notDeleted: { code: '103', message: `The ${noun} is not deleted. Details in error message.` },
    notChanged: { code: '104', message: `The ${noun} is not changed. Details in error message.` },
    tooLarge: { code: '105', message: tooLargeMessage },
    tooMany: { code: '106', message: 'Too many requests. Try again later.' },
    unavailable: { code: '107', message: busyMessage },
  } satisfies Record<string, Fault>;
}

type FaultName = keyof ReturnType<typeof faultsOf>;

/** A refusal of REST as text: `name is too long, path has already been taken`. */
function flat(message: unknown): string {
  if (Array.isArray(message)) return message.map(flat).join(', ');
  if (typeof message !== 'object' || message === null) return String(message);
  return Object.entries(message)
    .map(([name, text]) => `${name} ${flat(text)}`)
    .join(', ');
}

/** The message of a REST error, without the status it begins with. */
function textOf(body: unknown): string | undefined {
  const { message, error } = (body ?? {}) as { readonly message?: unknown; error?: unknown };
  const text = message ?? error;
  return text === undefined ? undefined : flat(text).replace(/^\d{3} /, '');
}

/** `Forbidden - Must be admin` becomes `Access denied. Must be admin`. */
const denied = (text = '') => {
  const why = text.replace(/^(?:Forbidden|Unauthorized)(?: - |\. )?/, '');
  const { accessDenied } = globalFaults;
  return listedFault(accessDenied, why === '' ? undefined : `${accessDenied.message} ${why}`);
};

function nameOf(status: number, [operation]: Method, isListing: boolean): FaultName {
  if (status === 404) return 'notExists';
  if (status === 413) return 'tooLarge';
  if (status === 429) return 'tooMany';
  if (operation.startsWith('DELETE ')) return 'notDeleted';
  const isRead = operation.startsWith('GET ');
  if (!isRead && [405, 406, 409, 412].includes(status)) return 'notChanged';
  return isListing ? 'filtersInvalid' : 'dataInvalid';
}

/** The fault for a REST error. */
export function faultOf(
  { status, body, headers }: Outcome,
  resource: Resource,
  method: Method,
  isListing: boolean,
): SoapFault {
  const text = textOf(body);
  if (status === 401 || status === 403) return denied(text);
  if (status === 503 || status === 507) {
    const { code, message } = faultsOf(resource).unavailable;
    const isNamed = text !== undefined && text !== STATUS_CODES[status];
    return new SoapFault(code, isNamed ? `${text}. Try again later.` : message, status, headers);
  }
  if (status >= 500) return listedFault(globalFaults.internal);
  return listedFault(faultsOf(resource)[nameOf(status, method, isListing)], text);
}
