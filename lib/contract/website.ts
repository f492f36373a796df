/** What is said about two different values of `website` and `websiteLink`, which are two names of one field (D7). */
export const oneWebsite = 'is another name of website and must have the same value'

/** Whether `website` and `websiteLink` agree. */
export function haveOneWebsite({
  website,
  websiteLink,
}: {
  website?: unknown
  websiteLink?: unknown
}) {
  return website === undefined || websiteLink === undefined || website === websiteLink
}
