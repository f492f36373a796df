import type { SiteBucket } from './site-bucket.ts'

/** How long the files of earlier versions stay in the bucket, for pages that were opened before a deployment. */
export const superseded = { keptDays: 30, prefix: 'superseded/' }

const keptMilliseconds = superseded.keptDays * 24 * 60 * 60 * 1000

/**
 * Removes each file that no version has used for {@link superseded.keptDays}. The time of an object is that of the
 * last deployment that used it, not that of the first deployment without it. So this deployment puts an empty object
 * beside each file that it does not use any more, and the time of that object counts.
 */
export async function removeSuperseded(
  bucket: SiteBucket,
  used: ReadonlySet<string>,
): Promise<void> {
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
