import {
  DeleteBucketCommand,
  DeleteObjectsCommand,
  ListBucketsCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import type { Place } from '../../test/deployed/place.ts'

type Where = Pick<Place, 'aws'>

// An emulator has one address for all buckets.
const s3 = ({ aws }: Where) => new S3Client({ ...aws, forcePathStyle: aws.endpoint !== undefined })

/** The buckets that CloudFormation has named after a stack. */
export async function bucketsOf(place: Where, stackName: string): Promise<string[]> {
  const { Buckets = [] } = await s3(place).send(new ListBucketsCommand({}))
  return Buckets.flatMap(({ Name = '' }) => Name).filter((name) =>
    name.startsWith(`${stackName.toLowerCase()}-`),
  )
}

/** Deletes a bucket with its files. */
export async function deleteBucket(place: Where, Bucket: string): Promise<void> {
  const client = s3(place)
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket })) {
    const Objects = Contents.flatMap(({ Key }) => (Key === undefined ? [] : { Key }))
    if (Objects.length > 0)
      await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }))
  }
  await client.send(new DeleteBucketCommand({ Bucket }))
}
