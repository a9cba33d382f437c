import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { stringify } from 'yaml';
import { restDocument } from './document.ts';
import { documentFile } from './location.ts';

/** Writes the OpenAPI document as JSON and YAML, or as JSON to the file that is given. */
const [, , given] = process.argv;
const file = given ?? documentFile('json');
const document = restDocument();
mkdirSync(dirname(file), { recursive: true });
writeFileSync(file, JSON.stringify(document));
if (!given)
  writeFileSync(documentFile('yaml'), stringify(document, { aliasDuplicateObjects: false }));
