import * as v from 'valibot'
import { claimPath, keySetAlgorithmList, keySetUrl, text, texts } from './forms.ts'
import { objectOf } from './object-form.ts'

const maxLogins = 10
const listRule = `must be a list of 1 to ${maxLogins} logins, in JSON`

// @__NO_SIDE_EFFECTS__
const listedLogin = () =>
  objectOf(
    {
      issuer: text,
      audiences: texts,
      jwksUrl: v.optional(keySetUrl),
      publicKeys: v.optional(texts),
      algorithms: v.optional(keySetAlgorithmList),
      users: v.optional(text),
      userIdClaim: v.optional(claimPath),
    },
    'must be an object with "issuer", "audiences", and "jwksUrl" or "publicKeys"',
  )

/** A login as a list has it: without the fields that keep their defaults. */
export type ListedLogin = v.InferOutput<ReturnType<typeof listedLogin>>

/** A list of logins. Its form is made when there is a list: most containers have none, and would make it in vain. */
export const loginList = v.lazy(() =>
  v.pipe(
    v.array(listedLogin(), listRule),
    v.minLength(1, listRule),
    v.maxLength(maxLogins, listRule),
  ),
)
