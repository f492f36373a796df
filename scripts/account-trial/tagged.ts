import {
  paginateGetResources,
  ResourceGroupsTaggingAPIClient,
} from '@aws-sdk/client-resource-groups-tagging-api'
import { RegionInfo } from 'aws-cdk-lib/region-info'
import type { Place } from '../../test/deployed/place.ts'

type Where = Pick<Place, 'aws'>

/** Distributions are listed there only. */
const globalRegion = 'us-east-1'

/** The services that say themselves what they have. What they have deleted, keeps its tags for a while here. */
const askedThemselves: readonly string[] = [
  ...['cloudformation', 'dynamodb', 'kms', 'lambda', 'logs', 's3', 'secretsmanager'],
]

/** The Regions in which a trial has something with a tag. Only the partition `aws` has the Region of distributions. */
export function regionsOfTags({ aws: { region } }: Where): readonly string[] {
  const { partition = 'aws' } = RegionInfo.get(region)
  return [...new Set([region, ...(partition === 'aws' ? [globalRegion] : [])])]
}

/** What has the tag of a stage in a Region, in all other services, as `sns topic`. */
export async function taggedWith({ aws }: Where, region: string, stage: string): Promise<string[]> {
  const arns: string[] = []
  const client = new ResourceGroupsTaggingAPIClient({ ...aws, region })
  const filter = { TagFilters: [{ Key: 'stage', Values: [stage] }] }
  for await (const page of paginateGetResources({ client }, filter)) {
    for (const { ResourceARN = '' } of page.ResourceTagMappingList ?? []) arns.push(ResourceARN)
  }
  return arns.map(kindOf).filter((kind) => !askedThemselves.includes(kind.split(' ')[0] ?? ''))
}

/** `arn:aws:cloudfront::…:distribution/…` is a `cloudfront distribution`. */
function kindOf(arn: string): string {
  const [, , service = '', , , ...resource] = arn.split(':')
  return `${service} ${resource.join(':').split(/[/:]/)[0]}`
}
