import type { CloudFormationCustomResourceEvent } from 'aws-lambda'
import { whenPermitted } from '../aws-calls.ts'
import { respond } from '../response.ts'
import { packedFiles, uploadOrder } from './packed-files.ts'
import { type SiteBucket, siteBucket } from './site-bucket.ts'

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

/** How long the files of earlier versions stay in the bucket, for pages that were opened before a deployment. */
const superseded = { keptDays: 30, prefix: 'superseded/' }

const keptMilliseconds = superseded.keptDays * 24 * 60 * 60 * 1000

/**
 * Removes each file that no version has used for {@link superseded.keptDays}. The time of an object is that of the
 * last deployment that used it, not that of the first deployment without it. So this deployment puts an empty object
 * beside each file that it does not use any more, and the time of that object counts.
 */
async function removeSuperseded(bucket: SiteBucket, used: ReadonlySet<string>): Promise<void> {
  const stored = await bucket.list()
  const isMark = ({ key }: { key: string }) => key.startsWith(superseded.prefix)
  const marks = stored.filter(isMark)
  const marked = new Set(marks.map(({ key }) => fileOf(key)))
  const unused = stored.filter((each) => !isMark(each) && !used.has(each.key))
  const unmarked = unused.filter(({ key }) => !marked.has(key))
  await Promise.all(unmarked.map(({ key }) => bucket.put(markOf(key))))
  const usedAgain = marks.filter(({ key }) => used.has(fileOf(key)))
  const old = marks.filter((each) => !usedAgain.includes(each) && isOld(each))
  // A mark goes last: without it, the next deployment would keep its file as if it were newly superseded.
  await bucket.remove(old.map(({ key }) => fileOf(key)))
  await bucket.remove([...old, ...usedAgain].map(({ key }) => key))
}

const isOld = ({ putAt }: { putAt: number }) => Date.now() - putAt > keptMilliseconds

const fileOf = (mark: string): string => mark.slice(superseded.prefix.length)

const markOf = (key: string) => ({
  key: `${superseded.prefix}${key}`,
  body: new Uint8Array(),
  contentType: 'text/plain; charset=utf-8',
  cacheControl: 'no-cache',
})
