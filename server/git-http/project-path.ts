const maxPathLength = 2048;
const segmentPattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]*$/;

/** A full path that a project could have: two or more segments, none of them `..` or `x.git`. */
export function isSafeProjectPath(path: string): boolean {
  const segments = path.split('/');
  return path.length <= maxPathLength && segments.length >= 2 && segments.every(isSegment);
}

const isSegment = (segment: string) =>
  segmentPattern.test(segment) && !/\.(?:git|atom)$|\.$/i.test(segment);
