import {
  GetSecretValueCommand,
  paginateListSecrets,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import type { Place } from '../../test/deployed/place.ts'
import { stacksOf } from './stage.ts'

/** The secret that the distribution sends (D54). CloudFormation names a secret after its logical id. */
export async function originSecretOf({ aws }: Pick<Place, 'aws'>, stage: string): Promise<string> {
  const client = new SecretsManagerClient(aws)
  const { service } = stacksOf(stage)
  for await (const { SecretList = [] } of paginateListSecrets({ client }, {})) {
    for (const { ARN: SecretId, Description, Tags = [] } of SecretList) {
      const isOwn = Tags.some(({ Key, Value }) => Key === 'stage' && Value === stage)
      if (!isOwn || !Description?.startsWith('The header with which CloudFront')) continue
      const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId }))
      return SecretString
    }
  }
  throw new Error(`${service} has no secret of its distribution`)
}
