import { graphql } from '../../../schema/client/graphql.ts';
import { forbidden, pathNotFound } from '../../../schema/kernel/errors.ts';
import type { Owner } from '../frame/owner.ts';
import { numberIn, splitFirst } from '../kernel/addresses.ts';
import { type Fault, orFault } from '../kernel/fault.ts';
import type { Answer, Visit } from '../kernel/page.ts';
import { confirmedForm } from '../kernel/parts.ts';
import { signInAddress } from '../kernel/return-to.ts';
import { type LabelDraft, labelDraftIn, labelForm } from './label-form.ts';
import { canAdministerLabels } from './label-rights.ts';

const labelDocument = graphql(`query LabelToEdit($source: GroupOrProject!, $label: ID!) {
  label(source: $source, label: $label) { id name color description }
}`);

const create = graphql(`mutation CreateShownLabel(
  $source: GroupOrProject!, $name: String!, $color: String!, $description: String
) {
  createLabel(source: $source, name: $name, color: $color, description: $description) { id }
}`);

const update = graphql(`mutation UpdateShownLabel(
  $source: GroupOrProject!, $label: LabelReference!
  $name: String!, $color: String!, $description: String
) {
  updateLabel(
    source: $source, label: $label, name: $name, color: $color, description: $description
  ) { id }
}`);

const remove = graphql(`mutation DeleteShownLabel(
  $source: GroupOrProject!, $label: LabelReference!
) {
  deleteLabel(source: $source, label: $label)
}`);

const subscribe = graphql(`mutation SubscribeToShownLabel($source: GroupOrProject!, $label: ID!) {
  subscribeToLabel(source: $source, label: $label) { hasChanged }
}`);

const unsubscribe = graphql(`mutation UnsubscribeFromShownLabel(
  $source: GroupOrProject!, $label: ID!
) {
  unsubscribeFromLabel(source: $source, label: $label) { hasChanged }
}`);

/** The forms of labels: `new`, and `5/edit`. */
export async function showLabelForm(visit: Visit, owner: Owner, rest: string): Promise<Answer> {
  if (!visit.viewer) return { redirect: signInAddress(visit) };
  if (!(await canAdministerLabels(visit, owner))) throw forbidden();
  const address = owner.address(visit, 'labels');
  if (rest === 'new') {
    return newLabel(visit, owner, { name: '', description: '', color: '#428bca' });
  }
  const [number, action] = splitFirst(rest);
  if (action !== 'edit') throw pathNotFound();
  const id = String(numberIn(number));
  const { label } = await visit.ask(labelDocument, { source: owner.source, label: id });
  const draft = { ...label, description: label.description ?? '' };
  return editLabel(visit, owner, `${address}/${id}`, draft);
}

const newLabel = (visit: Visit, owner: Owner, draft: LabelDraft, fault?: Fault) =>
  labelForm(visit, owner, {
    heading: 'New label',
    submit: 'Create label',
    address: owner.address(visit, 'labels'),
    draft,
    fault,
  });

const editLabel = (visit: Visit, owner: Owner, address: string, draft: LabelDraft, fault?: Fault) =>
  labelForm(visit, owner, {
    heading: 'Edit label',
    submit: 'Save label',
    address,
    draft,
    fault,
    below: confirmedForm(
      visit,
      { address: `${address}/delete`, label: 'Delete label' },
      'The label is removed from all issues and merge requests. This cannot be undone.',
    ),
  });

/** Handles the forms of labels. */
export async function submitToLabels(visit: Visit, owner: Owner, rest: string): Promise<Answer> {
  const list = owner.address(visit, 'labels');
  const { source } = owner;
  const draft = labelDraftIn(visit);
  if (rest === '') {
    const work = async () => {
      await visit.ask(create, { source, ...draft });
      return { redirect: list };
    };
    return orFault(visit, work, (fault) => newLabel(visit, owner, draft, fault));
  }
  const [number, action] = splitFirst(rest);
  const id = String(numberIn(number));
  const label = { idOrName: id };
  if (action === '') {
    const work = async () => {
      await visit.ask(update, { source, label, ...draft });
      return { redirect: list };
    };
    return orFault(visit, work, (fault) => editLabel(visit, owner, `${list}/${id}`, draft, fault));
  }
  if (action === 'delete') await visit.ask(remove, { source, label });
  else if (action === 'subscribe') await visit.ask(subscribe, { source, label: id });
  else if (action === 'unsubscribe') await visit.ask(unsubscribe, { source, label: id });
  else throw pathNotFound();
  return { redirect: list };
}
