import { CloudFormation, paginateListStackResources } from '@aws-sdk/client-cloudformation'
import type { Place } from '../../scripts/deploy-local/place.ts'

/** The items of all pages of a list. */
export async function listed<Page, Item>(
  pages: AsyncIterable<Page>,
  itemsOf: (page: Page) => readonly Item[] | undefined,
): Promise<Item[]> {
  return (await Array.fromAsync(pages, (page) => itemsOf(page) ?? [])).flat()
}

/** The resources of a type in a stack. */
export async function resourcesOf({ aws }: Pick<Place, 'aws'>, StackName: string, type: string) {
  const pages = paginateListStackResources({ client: new CloudFormation(aws) }, { StackName })
  const all = await listed(pages, ({ StackResourceSummaries }) => StackResourceSummaries)
  return all.filter(({ ResourceType }) => ResourceType === type)
}
