import { graphql } from '../../../schema/client/graphql.ts';
import { pathNotFound } from '../../../schema/kernel/errors.ts';
import { splitFirst } from '../kernel/addresses.ts';
import type { Fault } from '../kernel/fault.ts';
import { orFault } from '../kernel/fault.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { saved } from '../kernel/parts.ts';
import type { VariableOwner } from './variables.ts';

const create = graphql(`
  mutation AddVariable(
    $source: GroupOrProject!, $key: String!, $value: String!, $isProtected: Boolean!
  ) {
    createVariable(source: $source, key: $key, value: $value, isProtected: $isProtected) { key }
  }
`);

const update = graphql(`
  mutation ChangeVariable(
    $source: GroupOrProject!, $key: String!, $value: String!, $isProtected: Boolean!
  ) {
    updateVariable(source: $source, key: $key, value: $value, isProtected: $isProtected) { key }
  }
`);

const remove = graphql(`
  mutation RemoveVariable($source: GroupOrProject!, $key: String!) {
    deleteVariable(source: $source, key: $key)
  }
`);

const addVariable = (visit: Visit, { source }: VariableOwner): Promise<unknown> =>
  visit.ask(create, { source, key: visit.form.key?.trim() ?? '', ...valueIn(visit) });

const changeVariable = (visit: Visit, { source }: VariableOwner, key: string): Promise<unknown> =>
  visit.ask(update, { source, key, ...valueIn(visit) });

const removeVariable = (visit: Visit, { source }: VariableOwner, key: string): Promise<unknown> =>
  visit.ask(remove, { source, key });

/** Browsers send line ends as CRLF. */
const valueIn = ({ form }: Visit) => ({
  value: (form.value ?? '').replaceAll('\r\n', '\n'),
  isProtected: form.is_protected === '1',
});

interface Shown {
  /** The list again, with the errors of the form for another variable. */
  readonly list: (fault: Fault) => Promise<Answer>;
  /** The page of one variable again. */
  readonly single: (key: string, fault: Fault) => Promise<Answer>;
}

/** Handles the forms of variables: `variables`, `variables/KEY` and `variables/KEY/remove`. */
export function submitVariable(
  visit: Visit,
  owner: VariableOwner,
  rest: string,
  shown: Shown,
): Promise<Answer> {
  const [key, action] = splitFirst(rest);
  const after = (work: Promise<unknown>) => work.then(() => saved(owner.address));
  if (key === '') return orFault(visit, () => after(addVariable(visit, owner)), shown.list);
  if (action === 'remove') return after(removeVariable(visit, owner, key));
  if (action !== '') throw pathNotFound();
  return orFault(
    visit,
    () => after(changeVariable(visit, owner, key)),
    (fault) => shown.single(key, fault),
  );
}
