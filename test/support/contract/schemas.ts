import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** The schemas of an OpenAPI document, with formats: `openapi#/components/…` refers to them. */
export function schemasOf(document: object): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addSchema(document, 'openapi');
  return ajv;
}

/** `/project/id must be integer {"type":"integer"}` */
export const errorText = ({ instancePath, message, params }: ErrorObject): string =>
  `${instancePath} ${message} ${JSON.stringify(params)}`;
