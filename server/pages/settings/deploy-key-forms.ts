import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import type { Project } from '../frame/project-head.ts';
import { numberIn, splitFirst } from '../kernel/addresses.ts';
import type { Visit } from '../kernel/page.ts';

const add = graphql(`
  mutation AddShownDeployKey($project: ID!, $title: String!, $key: String!, $canPush: Boolean) {
    addDeployKey(project: $project, title: $title, key: $key, canPush: $canPush) { canPush }
  }
`);

const update = graphql(`
  mutation ChangeShownDeployKey($project: ID!, $id: Int!, $title: String!, $canPush: Boolean) {
    updateDeployKey(project: $project, sshKeyId: $id, title: $title, canPush: $canPush) { canPush }
  }
`);

const enable = graphql(`
  mutation EnableShownDeployKey($project: ID!, $id: Int!) {
    enableDeployKey(project: $project, sshKeyId: $id) { canPush }
  }
`);

const remove = graphql(`
  mutation RemoveShownDeployKey($project: ID!, $id: Int!) {
    removeDeployKey(project: $project, sshKeyId: $id)
  }
`);

/** Handles the forms of deploy keys: add, `1/update`, `1/enable` and `1/remove`. */
export async function submitDeployKey(visit: Visit, { id }: Project, rest: string): Promise<void> {
  const { form } = visit;
  const project = String(id);
  const change = { project, title: form.title ?? '', canPush: form.can_push === '1' };
  if (rest === '') {
    await visit.ask(add, { ...change, key: form.key ?? '' });
    return;
  }
  const [number, action] = splitFirst(rest);
  const keyId = numberIn(number);
  if (action === 'update') await visit.ask(update, { ...change, id: keyId });
  else if (action === 'enable') await visit.ask(enable, { project, id: keyId });
  else if (action === 'remove') await visit.ask(remove, { project, id: keyId });
  else throw pathNotFound();
}
