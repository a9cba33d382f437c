import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { routes } from '../../rest-facade/index.ts';
import { fieldsOf, isRequired } from '../../rest-facade/kernel/parameter-schema.ts';
import { resources } from '../../soap-facade/resources/index.ts';

/** The document with the table of all methods. */
export const soapDocument = 'docs/soap.md';

const heading = '## Methods\n';

const paramsOf = new Map(
  routes.map(({ method, path, operation }) => [
    `${method.toUpperCase()} ${path}`,
    { path, params: operation.params },
  ]),
);

/** `project.share(id, {group_id, group_access})`: the path's parameters, and the others that are required. */
function signatureOf(name: string, endpoint: string): string {
  const { path = '', params = z.object({}) } = paramsOf.get(endpoint) ?? {};
  const inPath = [...path.matchAll(/[:*](\w+)/g)].map(([, parameter = '']) => parameter);
  const others = Object.entries(fieldsOf(params))
    .filter(([parameter, field]) => !inPath.includes(parameter) && isRequired(field))
    .map(([parameter]) => parameter);
  return `${name}(${[...inPath, ...(others.length > 0 ? [`{${others.join(', ')}}`] : [])].join(', ')})`;
}

/** `docs/soap.md` with its table of methods as it should be. */
export function soapDocumentText(): string {
  const [before = ''] = readFileSync(soapDocument, 'utf8').split(`\n${heading}`);
  const sections = resources.map(({ name, title, aliases = [], methods }) => {
    const names = [name, ...aliases].map((one) => `\`${one}\``).join(', ');
    const rows = Object.entries(methods).map(([method, [endpoint, about]]) => {
      const signature = signatureOf(`${name}.${method}`, endpoint);
      return `| \`${signature}\` | \`${endpoint}\` | ${about} |`;
    });
    return [
      `### ${title} (${names})`,
      '',
      '| method | endpoint | purpose |',
      '|---|---|---|',
      ...rows,
    ].join('\n');
  });
  const introduction = `Written by \`node test/support/soap-methods.ts\`. Arguments are the parameters of the path and, in braces, the others that are
required; \`resources\` lists all of them with their types.`;
  return `${before}\n${heading}\n${introduction}\n\n${sections.join('\n\n')}\n`;
}

if (import.meta.main) writeFileSync(soapDocument, soapDocumentText());
