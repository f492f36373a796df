import type { defaultProvider } from '@aws-sdk/credential-provider-node'
import type { AwsAccess } from '../../local/aws/aws-access.ts'

type Credentials = AwsAccess['credentials']

/** Where a stack is deployed: an AWS account, or an emulator of one. */
export interface Place {
  /** The id of the account. */
  account: string
  /** The access of clients. Credentials of an account are asked for again when they expire. */
  aws: Omit<AwsAccess, 'credentials'> & {
    credentials: Credentials | ReturnType<typeof defaultProvider>
  }
  /** Environment variables with which AWS tools use this place and no other. */
  environment: NodeJS.ProcessEnv
}

/** The access with the credentials of this moment. */
export async function accessNow({ aws }: Pick<Place, 'aws'>): Promise<AwsAccess> {
  const { credentials } = aws
  if (typeof credentials !== 'function') return { ...aws, credentials }
  const { accessKeyId, secretAccessKey, sessionToken } = await credentials()
  return {
    ...aws,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) },
  }
}

/** The environment of a Node program that uses a place. */
export const nodeEnvironment = ({ environment }: Pick<Place, 'environment'>): NodeJS.ProcessEnv => {
  const certificates = environment['AWS_CA_BUNDLE']
  return { ...environment, ...(certificates && { NODE_EXTRA_CA_CERTS: certificates }) }
}
