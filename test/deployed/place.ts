import type { AwsAccess, LastingAccess } from '../../local/aws/aws-access.ts'

/** Where a stack is deployed: an AWS account, or an emulator of one. */
export interface Place {
  /** The id of the account. */
  account: string
  /** The access of clients. Credentials of an account are asked for again when they expire. */
  aws: LastingAccess
  /** Environment variables with which AWS tools use this place and no other. */
  environment: NodeJS.ProcessEnv
}

/** An access, and what belongs to it, with the credentials of this moment. */
export async function accessNow<Access extends LastingAccess>(
  access: Access,
): Promise<Omit<Access, 'credentials'> & Pick<AwsAccess, 'credentials'>> {
  const { credentials } = access
  if (typeof credentials !== 'function') return { ...access, credentials }
  const { accessKeyId, secretAccessKey, sessionToken } = await credentials()
  return {
    ...access,
    credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) },
  }
}

/** The environment of a Node program that uses a place. */
export const nodeEnvironment = ({ environment }: Pick<Place, 'environment'>): NodeJS.ProcessEnv => {
  const certificates = environment['AWS_CA_BUNDLE']
  return { ...environment, ...(certificates && { NODE_EXTRA_CA_CERTS: certificates }) }
}
