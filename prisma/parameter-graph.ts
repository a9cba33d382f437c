import { Buffer } from 'node:buffer';

/** The arguments that queries can have, as Prisma writes them into its client. */
export interface ParameterGraph {
  /** Names of fields, enums and operations. */
  readonly strings: readonly string[];
  /** Nodes whose edges refer to names by number: binary, in base64url. */
  readonly graph: string;
}

/**
 * Numbers the names by frequency. Prisma keeps the edges of each node in an array indexed by the
 * number of the name, so that one rare name with a high number makes an array of kilobytes. Throws
 * if the graph does not have the layout of `@prisma/param-graph`.
 */
export function numberByFrequency({ strings, graph }: ParameterGraph): ParameterGraph {
  const bytes = Buffer.from(graph, 'base64url');
  const uses = strings.map(() => 0);
  rewriteNames(bytes, (name) => {
    uses[name] = (uses[name] ?? 0) + 1;
    return name;
  });
  const order = [...strings.keys()].sort((a, b) => (uses[b] ?? 0) - (uses[a] ?? 0));
  const numbers = new Map(order.map((name, index) => [name, index]));
  const rewritten = rewriteNames(bytes, (name) => numbers.get(name) ?? name);
  return {
    strings: order.map((name) => strings[name] ?? ''),
    graph: rewritten.toString('base64url'),
  };
}

/** A copy of the graph in which each number of a name is replaced. */
function rewriteNames(bytes: Buffer, replace: (name: number) => number): Buffer {
  const output: number[] = [];
  let position = 0;
  const copyByte = (): number => {
    const byte = bytes[position++];
    if (byte === undefined) throw new Error('The parameter graph of Prisma ends too early.');
    output.push(byte);
    return byte;
  };
  // numbers have seven bits in each byte, the lowest first; the highest bit announces another byte
  const copyNumber = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = copyByte();
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const writeNumber = (value: number): void => {
    for (let rest = value; ; rest >>>= 7) {
      output.push(rest < 0x80 ? rest : (rest & 0x7f) | 0x80);
      if (rest < 0x80) return;
    }
  };
  /** With an offset of 1, the number 0 means no name. */
  const replaceName = (offset: 0 | 1): void => {
    const start = output.length;
    const name = copyNumber() - offset;
    output.length = start;
    writeNumber(name < 0 ? 0 : replace(name) + offset);
  };
  const repeat = (count: number, step: () => void): void => {
    for (let index = 0; index < count; index++) step();
  };

  const [inputNodes, outputNodes, roots] = [copyNumber(), copyNumber(), copyNumber()];
  repeat(inputNodes, () => {
    repeat(copyNumber(), () => {
      replaceName(0);
      // the types of a scalar
      repeat(2, copyByte);
      // the child node
      copyNumber();
      // the enum
      replaceName(1);
      // flags
      copyByte();
    });
  });
  // an edge to a node and one to its arguments
  const replaceReference = () => {
    replaceName(0);
    repeat(2, copyNumber);
  };
  repeat(outputNodes, () => repeat(copyNumber(), replaceReference));
  repeat(roots, replaceReference);
  if (position !== bytes.length)
    throw new Error('The parameter graph of Prisma has another layout.');
  return Buffer.from(output);
}
