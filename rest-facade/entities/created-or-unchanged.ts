/** What routes have in common that answer with 304 if everything is already as requested. */
export const createdOrUnchanged = {
  method: 'post',
  access: 'signed in',
  statuses: [201, 304],
  status: ({ change }: { readonly change: { readonly hasChanged: boolean } }) =>
    change.hasChanged ? 201 : 304,
} as const;
