import type { AwsAccess } from '@player-nfts/local/aws/aws-access'

/** Where a stack is deployed: an AWS account, or an emulator of one. */
export interface Place {
  account: string
  aws: AwsAccess
  /** Environment variables with which AWS tools use this place and no other. */
  environment: NodeJS.ProcessEnv
}

/** The environment of a Node program that uses a place. */
export const nodeEnvironment = ({ environment }: Pick<Place, 'environment'>): NodeJS.ProcessEnv => {
  const certificates = environment['AWS_CA_BUNDLE']
  return { ...environment, ...(certificates && { NODE_EXTRA_CA_CERTS: certificates }) }
}
