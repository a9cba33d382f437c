/**
 * Ruby clients send a list of maps without indexes: in `a[][x]=1&a[][y]=2&a[][x]=3` the second `x`
 * starts the second map. This adds the indexes, without which the maps would be merged into one.
 */
export function numberMaps(text: string): string {
  if (!/\[\]\[|%5B%5D%5B/i.test(text)) return text;
  const lists = new Map<string, { index: number; seen: Set<string> }>();
  const number = (pair: string): string => {
    const equals = pair.indexOf('=');
    const name = (equals < 0 ? pair : pair.slice(0, equals))
      .replace(/%5B/gi, '[')
      .replace(/%5D/gi, ']');
    const at = name.indexOf('[][');
    if (at <= 0) return pair;
    const [list, member] = [name.slice(0, at), name.slice(at + 2)];
    const current = lists.get(list) ?? { index: 0, seen: new Set() };
    lists.set(list, current);
    if (current.seen.has(member) && !member.endsWith('[]')) {
      current.index += 1;
      current.seen.clear();
    }
    current.seen.add(member);
    return `${list}[${current.index}]${member}${equals < 0 ? '' : pair.slice(equals)}`;
  };
  return text.split('&').map(number).join('&');
}
