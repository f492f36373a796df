import { defaultProvider } from '@aws-sdk/credential-provider-node'

/** Where AWS is, and as whom to call it. */
export interface AwsAccess {
  region: string
  /** None: AWS itself. */
  endpoint?: string
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string }
}

/** What endpoints that check no signature are content with. */
const anyCredentials = { accessKeyId: 'local', secretAccessKey: 'local' }

/** Access to an endpoint on this machine that checks no signature. */
export const localAccess = (endpoint: string, region: string): AwsAccess => ({
  region,
  endpoint,
  credentials: anyCredentials,
})

/**
 * Access to AWS elsewhere, as the usual AWS variables and files name it. `endpoint` `aws` means an
 * account itself; emulators need no credentials, an account does.
 */
export async function accessElsewhere(endpoint: string, region: string): Promise<AwsAccess> {
  const isAccount = endpoint === 'aws'
  // The SDK would read it itself, and take it for a URL.
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
