import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { KMSClient } from '@aws-sdk/client-kms'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { SQSClient } from '@aws-sdk/client-sqs'
import { expect, test } from 'vitest'
import { awsEndpoint } from '../../../lib/adapters/aws/aws-attempts.ts'
import { services } from './clients.ts'

const published = {
  dynamodb: DynamoDBClient,
  kms: KMSClient,
  sqs: SQSClient,
  secretsManager: SecretsManagerClient,
}

/** The Regions that the SDK knows, of all partitions. A pseudo-Region such as `aws-global` is none. */
async function allRegions(): Promise<string[]> {
  const index = createRequire(import.meta.url).resolve('@aws-sdk/core/client')
  const folder = index.replace(/[\\/]dist-cjs[\\/].*/, '/dist-es/submodules/client')
  const text = await readFile(`${folder}/util-endpoints/lib/aws/partitions.js`, 'utf8')
  const { partitions } = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  const regions = partitions.flatMap(({ regions }: { regions: object }) => Object.keys(regions))
  return regions.filter((region: string) => !region.endsWith('-global'))
}

test.each(Object.keys(published) as (keyof typeof published)[])(
  'D93: the endpoints of %s are those of the SDK in every Region, and in one that the SDK does not know',
  async (service) => {
    const client = new published[service]({ region: 'us-east-1' })
    const endpointOf = client.config.endpointProvider
    const regions = [...(await allRegions()), 'eu-west-99', 'us-gov-west-9', 'cn-south-9', 'x']
    expect(regions.length).toBeGreaterThan(40)
    for (const Region of regions) {
      const { url } = endpointOf({ Region, UseDualStack: false, UseFIPS: false })
      expect(awsEndpoint(services[service].signingName, Region)).toEqual(url)
    }
    client.destroy()
  },
)
