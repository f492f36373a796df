import { defaultProvider } from '@aws-sdk/credential-provider-node'

export interface AwsAccess {
  region: string
  /** Undefined for AWS itself. */
  endpoint?: string
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string }
}

const anyCredentials = { accessKeyId: 'local', secretAccessKey: 'local' }

/** Access to an endpoint on this machine that checks no signature. */
export const localAccess = (endpoint: string, region: string): AwsAccess => ({
  region,
  endpoint,
  credentials: anyCredentials,
})

/**
 * Access to AWS elsewhere, with the credentials of the usual AWS variables and files. The endpoint `aws`
 * means an AWS account. Throws if an account has no credentials; emulators need none.
 */
export async function accessElsewhere(endpoint: string, region: string): Promise<AwsAccess> {
  const isAccount = endpoint === 'aws'
  // The SDK reads the variable too, and would use `aws` as a URL.
  if (isAccount) delete process.env['AWS_ENDPOINT_URL']
  try {
    const { accessKeyId, secretAccessKey, sessionToken } = await defaultProvider()()
    return {
      region,
      ...(!isAccount && { endpoint }),
      credentials: { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }) },
    }
  } catch {
    if (!isAccount) return localAccess(endpoint, region)
    throw new Error(
      'There are no AWS credentials: set AWS_PROFILE, or AWS_ACCESS_KEY_ID and its like.',
    )
  }
}
