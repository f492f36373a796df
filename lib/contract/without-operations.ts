interface Document {
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, object>>
}

/** An OpenAPI document without the operations of a tag, of which a deployment has none. */
export const withoutOperationsOf = <Whole extends Document>(tag: string, whole: Whole): Whole => ({
  ...whole,
  tags: whole.tags.filter(({ name }) => name !== tag),
  paths: Object.fromEntries(
    Object.entries(whole.paths).filter(([, item]) => !tagsOf(item).includes(tag)),
  ),
})

/** The tags of the operations of a path, all of which have the same. */
const tagsOf = (item: object): string[] =>
  Object.values(item).flatMap((operation: { tags?: string[] }) => operation.tags ?? [])
