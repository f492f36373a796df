import type { CloudFormationCustomResourceEvent } from 'aws-lambda'
import { respond } from '../response.ts'
import { whenPermitted } from '../when-permitted.ts'
import { packedFiles, uploadOrder } from './packed-files.ts'
import { type SiteBucket, siteBucket } from './site-bucket.ts'
import { removeSuperseded } from './superseded-files.ts'

/** The properties of the custom resource. CloudFormation sends texts. */
export interface UploadProperties {
  readonly Bucket: string
  /** A digest of the files. CloudFormation calls the function only if a property has changed. */
  readonly Version: string
  /** Whether the files stay in the bucket when the resource is deleted: `true` or `false`. */
  readonly KeepFiles: string
}

type Event = CloudFormationCustomResourceEvent<UploadProperties, UploadProperties>

/**
 * The handler of the custom resource that puts the files of the dashboard into their bucket, and that empties the
 * bucket before CloudFormation deletes it. Fails the deployment, so that CloudFormation rolls it back, if S3 does not
 * accept a file: the pages of the previous version then still have all their files.
 */
export async function handler(event: Event): Promise<void> {
  const { Bucket, KeepFiles } = event.ResourceProperties
  // A new id, for another bucket, makes CloudFormation delete the resource of the old bucket.
  const id = event.RequestType === 'Delete' ? event.PhysicalResourceId : `dashboard-in-${Bucket}`
  await respond(event, id, await faultsOf(event.RequestType, siteBucket(Bucket), KeepFiles))
}

async function faultsOf(
  request: Event['RequestType'],
  bucket: SiteBucket,
  keepFiles: string,
): Promise<string[]> {
  try {
    if (request !== 'Delete') await whenPermitted(() => upload(bucket))
    else if (keepFiles !== 'true') await bucket.empty()
    return []
  } catch (error) {
    const { name, message } = error as Error
    return [`The files of the dashboard could not be changed. ${name}: ${message}`]
  }
}

async function upload(bucket: SiteBucket): Promise<void> {
  const files = await packedFiles()
  for (const together of uploadOrder(files)) {
    await Promise.all(together.map((file) => bucket.put(file)))
  }
  await removeSuperseded(bucket, new Set(files.map(({ key }) => key)))
}
