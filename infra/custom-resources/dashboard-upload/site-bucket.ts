import {
  DeleteObjectsCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import { clientOptions } from '../aws-calls.ts'
import type { PackedFile } from './packed-files.ts'

/** The bucket of the dashboard's files. */
export type SiteBucket = ReturnType<typeof siteBucket>

/** About a hundred files are sent at the same time. */
const requestTimeout = 20_000

/** S3 deletes up to 1,000 objects in a request, which is also the size of a page of a list. */
const keysInRequest = 1_000

/** The bucket with this name. All methods reject with the error of S3. */
export function siteBucket(Bucket: string) {
  const client = new S3Client({
    ...clientOptions(),
    requestHandler: { connectionTimeout: requestTimeout, requestTimeout },
  })
  /** The keys, and when each was last put, in milliseconds since 1970. */
  async function list() {
    const objects: { key: string; putAt: number }[] = []
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) {
      for (const { Key = '', LastModified } of Contents) {
        objects.push({ key: Key, putAt: LastModified?.getTime() ?? Date.now() })
      }
    }
    return objects
  }
  async function remove(keys: readonly string[]): Promise<void> {
    for (let start = 0; start < keys.length; start += keysInRequest) {
      const Objects = keys.slice(start, start + keysInRequest).map((Key) => ({ Key }))
      const { Errors: [first] = [] } = await client.send(
        new DeleteObjectsCommand({ Bucket, Delete: { Objects, Quiet: true } }),
      )
      if (first) throw new Error(`S3 did not delete ${first.Key}: ${first.Code}`)
    }
  }
  return {
    async put({ key, body, contentType, cacheControl }: PackedFile) {
      await client.send(
        new PutObjectCommand({
          ...{ Bucket, Key: key, Body: body },
          ...{ ContentType: contentType, CacheControl: cacheControl },
        }),
      )
    },
    list,
    remove,
    /** Removes all objects. Does nothing if there is no such bucket. */
    async empty() {
      try {
        await remove((await list()).map(({ key }) => key))
      } catch (error) {
        if ((error as Error).name !== 'NoSuchBucket') throw error
      }
    },
  }
}
