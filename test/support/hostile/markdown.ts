import { type HostileCase, statusOf } from './case.ts';
import type { HostileTarget } from './target.ts';

const markdowns: Readonly<Record<string, string>> = {
  '64,000 beginnings of pictures': '!['.repeat(64_000),
  '64,000 beginnings of links': '[a]('.repeat(32_000),
  '128,000 asterisks': `${'*'.repeat(127_000)}a`,
  '30,000 nested emphases': '*a _b '.repeat(20_000),
  '60,000 nested quotes': '>'.repeat(127_000),
  '10,000 nested lists': Array.from({ length: 340 }, (_, n) => `${' '.repeat(n * 2)}- a`).join(
    '\n',
  ),
  '60,000 backticks of all lengths': Array.from({ length: 500 }, (_, n) => '`'.repeat(n)).join(' '),
  '20,000 link references': '[a]: b\n'.repeat(18_000),
  '40,000 table cells': `${'|a'.repeat(20_000)}\n${'|-'.repeat(20_000)}\n${'|b'.repeat(20_000)}`,
  '120,000 entities': '&#0;'.repeat(30_000),
  '20,000 addresses without a scheme': 'a.b/'.repeat(30_000),
  '120,000 left angles': '<'.repeat(120_000),
  '32,000 comments that do not end': '<!--'.repeat(32_000),
  '25,000 comments that end together': `${'<!--\n'.repeat(25_000)}-->`,
  '13,000 comments that do not end within pictures': '![<!--](x)'.repeat(12_800),
  '32,000 notes': '^[a]'.repeat(32_000),
  '7,000 notes with labels': Array.from(
    { length: 7_000 },
    (_, n) => `[^${n}] \n\n[^${n}]: n\n`,
  ).join(''),
  '42,000 elements that do not end': '<b>'.repeat(42_000),
  '16,000 nested expansions in code': `\`\`\`bash\n${'${'.repeat(16_000)}\n\`\`\``,
  '32,000 hyphens in a line of code': `\`\`\`ini\n${'-'.repeat(32_000)}\n\`\`\``,
  '16,000 elements around lists': '- <div>\n'.repeat(16_000),
};

const json = (token: string, method: string, body: object): RequestInit => ({
  method,
  headers: { 'Content-Type': 'application/json', 'Private-Token': token },
  body: JSON.stringify(body),
});

const api = ({ url, project }: HostileTarget, path: string) =>
  `${url}/api/v4/projects/${project.id}${path}`;

let count = 0;

const blobCase = ([title, text]: readonly [string, string]): HostileCase => ({
  title: `${title} in a Markdown file`,
  expected: [200],
  send: async (target) => {
    count += 1;
    const file = `/repository/files/text-${count}.md`;
    await statusOf(
      fetch(
        api(target, file),
        json(target.attacker.token, 'POST', {
          branch: 'master',
          content: text,
          commit_message: 'Add a text',
        }),
      ),
    );
    return target.readPage(`/${target.project.fullPath}/blob/master/text-${count}.md`);
  },
});

const issueCase = ([title, text]: readonly [string, string]): HostileCase => ({
  title: `${title} in an issue and its notes`,
  expected: [200],
  send: async (target) => {
    const { token } = target.attacker;
    const created = await fetch(
      api(target, '/issues'),
      json(token, 'POST', { title: 'Hostile', description: text }),
    );
    const { iid } = (await created.json()) as { iid: number };
    await statusOf(fetch(api(target, `/issues/${iid}/notes`), json(token, 'POST', { body: text })));
    return target.readPage(`/${target.project.fullPath}/issues/${iid}`);
  },
});

const wikiCase = ([title, text]: readonly [string, string]): HostileCase => ({
  title: `${title} in a wiki page`,
  expected: [200],
  send: async (target) => {
    count += 1;
    const slug = `text-${count}`;
    await statusOf(
      fetch(
        api(target, '/wikis'),
        json(target.attacker.token, 'POST', { title: slug, content: text }),
      ),
    );
    return target.readPage(`/${target.project.fullPath}/wikis/${slug}`);
  },
});

const texts = Object.entries(markdowns);

/** Markdown on the pages that render it. */
export const markdownCases: readonly HostileCase[] = [
  ...texts.map(blobCase),
  ...texts.filter((_, index) => index % 4 === 0).map(issueCase),
  ...texts.filter((_, index) => index % 4 === 1).map(wikiCase),
];
