import {
  paginateGetResources,
  ResourceGroupsTaggingAPIClient,
} from '@aws-sdk/client-resource-groups-tagging-api'
import type { Place } from '../../test/deployed/place.ts'

/** Distributions are listed there only. */
const globalRegion = 'us-east-1'

/** The services that say themselves what they have. What they have deleted, keeps its tags for a while here. */
const askedThemselves: readonly string[] = [
  ...['cloudformation', 'dynamodb', 'kms', 'lambda', 'logs', 's3', 'secretsmanager'],
]

/** What has the tag of a stage in all other services, as `sns topic`. */
export async function taggedWith({ aws }: Pick<Place, 'aws'>, stage: string): Promise<string[]> {
  const arns = new Set<string>()
  for (const region of new Set([aws.region, globalRegion])) {
    const client = new ResourceGroupsTaggingAPIClient({ ...aws, region })
    const filter = { TagFilters: [{ Key: 'stage', Values: [stage] }] }
    for await (const page of paginateGetResources({ client }, filter)) {
      for (const { ResourceARN = '' } of page.ResourceTagMappingList ?? []) arns.add(ResourceARN)
    }
  }
  return [...arns].map(kindOf).filter((kind) => !askedThemselves.includes(kind.split(' ')[0] ?? ''))
}

/** `arn:aws:cloudfront::…:distribution/…` is a `cloudfront distribution`. */
function kindOf(arn: string): string {
  const [, , service = '', , , ...resource] = arn.split(':')
  return `${service} ${resource.join(':').split(/[/:]/)[0]}`
}
