/** The format of errors of some endpoints of v4: `{:path=>["has already been taken"]}`. */
export const inspected = (fields: Readonly<Record<string, readonly string[]>>) =>
  `{${Object.entries(fields)
    .map(([name, texts]) => `:${name}=>${JSON.stringify(texts).replaceAll('","', '", "')}`)
    .join(', ')}}`;
