/** A file of a form: its name and content. */
export interface FormFile {
  readonly name: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
}

/** A form with parts: texts as fields, the rest as files. */
export function formOf(parts: Readonly<Record<string, string | FormFile>>): FormData {
  const form = new FormData();
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === 'string') form.append(name, part);
    else form.append(name, new Blob([part.content]), part.name);
  }
  return form;
}

/** The smallest PNG, one pixel, followed by this many zero bytes. */
export function png(bytesBehind = 0): Uint8Array<ArrayBuffer> {
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  return new Uint8Array(Buffer.concat([pixel, Buffer.alloc(bytesBehind)]));
}
