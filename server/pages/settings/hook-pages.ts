import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { addressIn } from '../frame/address-in.ts';
import type { Project } from '../frame/project-head.ts';
import type { ProjectPage } from '../frame/sections.ts';
import { numberIn, splitFirst } from '../kernel/addresses.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { saved } from '../kernel/parts.ts';
import { deliveryPage } from './delivery.ts';
import { hookPage } from './hook.ts';
import { hookInput } from './hook-form.ts';
import { submitTest } from './hook-test.ts';
import { hooksPage, submitNewHook } from './hooks.ts';

const update = graphql(`
  mutation ChangeHook($project: ID!, $id: Int!, $change: HookChange!) {
    updateHook(project: $project, id: $id, change: $change) { id }
  }
`);

const remove = graphql(`
  mutation RemoveHook($project: ID!, $id: Int!) { deleteHook(project: $project, id: $id) }
`);

const resend = graphql(`
  mutation ResendDelivery($project: ID!, $id: Int!) {
    resendHookDelivery(project: $project, id: $id) { id }
  }
`);

/** The webhooks of a project, `1/edit`, and `1/deliveries/2`. */
export const showHooks: ProjectPage = (visit, project, rest) => {
  if (rest === '') return hooksPage(visit, project);
  const [number, below] = splitFirst(rest);
  const id = numberIn(number);
  if (below === 'edit') return hookPage(visit, project, id);
  const [word, delivery] = splitFirst(below);
  if (word !== 'deliveries') throw pathNotFound();
  return deliveryPage(visit, project, id, numberIn(delivery));
};

/** The forms of webhooks: create, `1`, `1/delete` and `1/deliveries/2/resend`. */
export const submitHooks: ProjectPage = async (visit, project, rest) => {
  if (rest === '') return submitNewHook(visit, project);
  const [number, action] = splitFirst(rest);
  const id = numberIn(number);
  if (action === '') return change(visit, project, id);
  if (action === 'test') {
    const again = (fault: Fault) => hookPage(visit, project, id, { form: 'test', fault });
    return submitTest(visit, project, id, again);
  }
  if (action === 'delete') {
    await visit.ask(remove, { project: String(project.id), id });
    return saved(addressIn(visit, project, 'hooks'));
  }
  const delivery = /^deliveries\/([^/]+)\/resend$/.exec(action)?.[1];
  if (delivery === undefined) throw pathNotFound();
  await visit.ask(resend, { project: String(project.id), id: numberIn(delivery) });
  return { redirect: addressIn(visit, project, 'hooks', number, 'deliveries', delivery) };
};

const change = (visit: Visit, project: Project, id: number): Promise<Answer> =>
  orFault(
    visit,
    async () => {
      const variables = { project: String(project.id), id, change: hookInput(visit) };
      await visit.ask(update, variables);
      return saved(addressIn(visit, project, 'hooks', String(id), 'edit'));
    },
    (fault) => hookPage(visit, project, id, { form: 'settings', fault }),
  );
