import { z } from 'zod';
import { p } from '../kernel/params.ts';

/** Longer than any valid value; a longer one is `invalid_request`. */
export const text = () => p.text({ longest: 4096 }).optional();

/** A program's credentials; those of the header are copied into these (RFC 6749, 2.3.1). */
export const clientParams = {
  client_id: text().describe('The Application ID, unless the header has it.'),
  client_secret: text().describe('The secret of the application, unless the header has it.'),
};

const params = z.object(clientParams);

/** A secret without an Application ID is ignored. */
export const clientOf = ({ client_id, client_secret }: z.infer<typeof params>) =>
  client_id === undefined && client_secret === undefined
    ? null
    : { id: client_id ?? '', secret: client_secret };
