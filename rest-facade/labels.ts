import { z } from 'zod';
import { graphql } from '../schema/client/graphql.ts';
import { labelFields } from './entities/label.ts';
import { p, ref } from './kernel/params.ts';
import { route } from './kernel/route.ts';
import { atLeastOne, required } from './kernel/rules.ts';

const list = graphql(
  `query Labels($source: GroupOrProject!, $search: String, $page: Int, $perPage: Int) {
    page: labels(source: $source, search: $search, page: $page, perPage: $perPage) {
      total nodes { ...LabelFields }
    }
  }`,
  [labelFields],
);

const show = graphql(
  `query Label($source: GroupOrProject!, $label: ID!) {
    result: label(source: $source, label: $label) { ...LabelFields }
  }`,
  [labelFields],
);

const create = graphql(
  `mutation CreateLabel(
    $source: GroupOrProject!, $name: String!, $color: String!, $description: String, $priority: Int
  ) {
    result: createLabel(
      source: $source, name: $name, color: $color, description: $description, priority: $priority
    ) { ...LabelFields }
  }`,
  [labelFields],
);

const update = graphql(
  `mutation UpdateLabel(
    $source: GroupOrProject!, $label: LabelReference!, $name: String, $color: String,
    $description: String, $priority: Int
  ) {
    result: updateLabel(
      source: $source, label: $label, name: $name, color: $color,
      description: $description, priority: $priority
    ) { ...LabelFields }
  }`,
  [labelFields],
);

const remove = graphql(
  `mutation DeleteLabel($source: GroupOrProject!, $label: LabelReference!) {
    deleteLabel(source: $source, label: $label)
  }`,
);

const subscribe = graphql(
  `mutation SubscribeToLabel($source: GroupOrProject!, $label: ID!) {
    subscription: subscribeToLabel(source: $source, label: $label) {
      hasChanged result: label { ...LabelFields }
    }
  }`,
  [labelFields],
);

const unsubscribe = graphql(
  `mutation UnsubscribeFromLabel($source: GroupOrProject!, $label: ID!) {
    subscription: unsubscribeFromLabel(source: $source, label: $label) {
      hasChanged result: label { ...LabelFields }
    }
  }`,
  [labelFields],
);

type Source = (id: string) => { readonly group: string } | { readonly project: string };

/** Null or '' clears the priority. */
const details = {
  description: p.orNone(p.text()).optional(),
  priority: p.orNone(p.int()).optional(),
};

const change = { new_name: p.text().optional(), color: p.text().optional(), ...details };

interface Change {
  readonly new_name?: string | undefined;
  readonly color?: string | undefined;
  readonly description?: string | null | undefined;
  readonly priority?: number | null | undefined;
}

/** A label's reference: old clients send its name as a parameter, newer ones its id. */
const named = { name: p.text().optional(), label_id: p.id().optional() };

interface Named {
  readonly name?: string | undefined;
  readonly label_id?: number | undefined;
}

const reference = ({ name, label_id: id }: Named) =>
  id === undefined ? { name: name ?? '' } : { idOrName: String(id) };

const one = { ...ref, label_id: p.text({ isFilled: true }) };

/** Labels of projects and of groups: the same routes below another parent (v4-behaviour 3.6). */
function labelRoutes(parent: 'groups' | 'projects', source: Source) {
  const all = { access: 'signed in', path: `/${parent}/:id/labels` } as const;
  const single = { access: 'signed in', path: `/${parent}/:id/labels/:label_id` } as const;
  const hasPriority = parent === 'projects';
  const changeable = [
    'new_name',
    'color',
    'description',
    ...(hasPriority ? (['priority'] as const) : []),
  ] as const;
  const changed = ({ new_name: name, color, description, priority }: Change) => ({
    name,
    color,
    description,
    priority: hasPriority ? priority : undefined,
  });
  return [
    route({
      ...all,
      method: 'get',
      params: z.object({ ...ref, search: p.text().optional() }),
      document: list,
      variables: ({ id, search, page, perPage }) => ({ source: source(id), search, page, perPage }),
    }),
    route({
      ...single,
      method: 'get',
      params: z.object(one),
      document: show,
      variables: ({ id, label_id }) => ({ source: source(id), label: label_id }),
    }),
    route({
      ...all,
      method: 'post',
      params: z.object({ ...ref, name: p.text(), color: p.text(), ...details }),
      document: create,
      variables: ({ id, name, color, description, priority }) => ({
        source: source(id),
        name,
        color,
        description,
        priority: hasPriority ? priority : undefined,
      }),
    }),
    route({
      ...all,
      method: 'put',
      params: atLeastOne(
        required(z.object({ ...ref, ...named, ...change }), 'name', 'label_id'),
        ...changeable,
      ),
      document: update,
      variables: ({ id, ...params }) => ({
        source: source(id),
        label: reference(params),
        ...changed(params),
      }),
    }),
    route({
      ...single,
      method: 'put',
      params: atLeastOne(z.object({ ...one, ...change }), ...changeable),
      document: update,
      variables: ({ id, label_id: idOrName, ...params }) => ({
        source: source(id),
        label: { idOrName },
        ...changed(params),
      }),
    }),
    route({
      ...all,
      method: 'delete',
      params: required(z.object({ ...ref, ...named }), 'name', 'label_id'),
      document: remove,
      variables: ({ id, ...params }) => ({ source: source(id), label: reference(params) }),
    }),
    route({
      ...single,
      method: 'delete',
      params: z.object(one),
      document: remove,
      variables: ({ id, label_id: idOrName }) => ({ source: source(id), label: { idOrName } }),
    }),
    ...([subscribe, unsubscribe] as const).map((document) =>
      route({
        access: 'signed in',
        path: `${single.path}/${document === subscribe ? 'subscribe' : 'unsubscribe'}`,
        method: 'post',
        params: z.object(one),
        document,
        variables: ({ id, label_id }) => ({ source: source(id), label: label_id }),
        status: ({ subscription }) => (subscription.hasChanged ? 201 : 304),
      }),
    ),
  ];
}

export const labels = [
  ...labelRoutes('groups', (group) => ({ group })),
  ...labelRoutes('projects', (project) => ({ project })),
];
