import type { Readable } from 'node:stream';
import type { ReceivedFile } from '../../schema/kernel/received-file.ts';
import { malformed } from './body-error.ts';

/** Whether a parameter may be a file. */
export type FileNames = Pick<ReadonlySet<string>, 'has'>;

/** Which files an endpoint receives, and how they are stored. */
export interface FileTaking {
  /** The parameters that may be files. */
  readonly names: FileNames;
  /** Refuses a second file of the same name; without it the last one counts. */
  readonly isUnique?: boolean;
  /** The limit in bytes on all of them together. */
  readonly limit: number;
  readonly receive: (name: string, content: AsyncIterable<Uint8Array>) => Promise<ReceivedFile>;
  readonly discard: (file: ReceivedFile) => Promise<void>;
}

/** A form that exceeds its limit. */
export const excess = new Error('The form holds too much.');

const mostFiles = 10;

interface Part {
  readonly parameter: string;
  file: ReceivedFile | null;
}

export type FormFiles = ReturnType<typeof formFiles>;

/** The files of one form while it is received. */
export function formFiles({ names, isUnique = false, limit, receive, discard }: FileTaking) {
  /** In the order of the form; the writes may finish in another order. */
  const parts: Part[] = [];
  let bytes = 0;

  const bounded = async function* (content: AsyncIterable<Uint8Array>) {
    for await (const chunk of content) {
      bytes += chunk.length;
      if (bytes > limit) throw excess;
      yield chunk;
    }
  };

  return {
    /** Stores or discards a file; throws `excess` if all files together exceed the limit. */
    take: async (
      parameter: string | undefined,
      name: string | undefined,
      content: Readable,
    ): Promise<void> => {
      if (parameter === undefined || !names.has(parameter)) {
        content.resume();
        return;
      }
      if (parts.length === mostFiles) throw excess;
      if (isUnique && parts.some((part) => part.parameter === parameter)) throw malformed();
      const part: Part = { parameter, file: null };
      parts.push(part);
      part.file = await receive(name ?? '', bounded(content));
    },
    /** The last file of each parameter, once all are stored. */
    named: (): Readonly<Record<string, ReceivedFile>> =>
      Object.fromEntries(
        parts.flatMap(({ parameter, file }) =>
          // if no file was chosen, the part has neither name nor content
          file && (file.name !== '' || file.size > 0) ? [[parameter, file]] : [],
        ),
      ),
    /** Deletes all received files. */
    discard: async (): Promise<void> => {
      await Promise.all(parts.map(({ file }) => file && discard(file)));
    },
  };
}
