const LONGEST = 2048;
const SEGMENT = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/** A full path some project could have: two segments or more, none of them `..` or `x.git`. */
export function isSafeProjectPath(path: string): boolean {
  const segments = path.split('/');
  return path.length <= LONGEST && segments.length >= 2 && segments.every(isSegment);
}

const isSegment = (segment: string) =>
  SEGMENT.test(segment) && !/\.(?:git|atom)$|\.$/i.test(segment);
