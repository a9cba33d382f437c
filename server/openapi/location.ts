import { fileURLToPath } from 'node:url';

/** Where `npm run generate` writes the OpenAPI document. */
export const documentFile = (form: 'json' | 'yaml'): string =>
  fileURLToPath(new URL(`generated/openapi.${form}`, import.meta.url));

/** In place of the public base URL, which the server knows. */
export const placeholderUrl = 'https://millrace.example';
