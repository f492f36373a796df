import * as v from 'valibot'
import { claimValues } from './claim-values.ts'
import { chainList, claimPath, keySetAlgorithmList, keySetUrl, text, texts } from './forms.ts'
import { objectOf } from './object-form.ts'

const maxLogins = 10
const listRule = `must be a list of 1 to ${maxLogins} logins, in JSON`

const claimPaths = v.pipe(
  v.array(claimPath, 'must be a list'),
  v.minLength(1, 'must name a claim'),
  v.maxLength(10, 'must name at most ten claims'),
)

// @__NO_SIDE_EFFECTS__
const walletsForm = () =>
  objectOf(
    {
      claim: claimPath,
      addressField: v.optional(claimPath),
      where: v.optional(claimValues()),
      chains: v.optional(chainList),
    },
    'must be an object with "claim", and optional "addressField", "where" and "chains"',
  )

// @__NO_SIDE_EFFECTS__
const listedLogin = () =>
  objectOf(
    {
      issuer: text,
      statesIssuer: v.optional(v.boolean('must be true or false')),
      audiences: texts,
      jwksUrl: v.optional(keySetUrl),
      publicKeys: v.optional(texts),
      algorithms: v.optional(keySetAlgorithmList),
      users: v.optional(text),
      userIdClaim: v.optional(claimPath),
      usernameClaims: v.optional(claimPaths),
      wallets: v.optional(walletsForm()),
      requiredClaims: v.optional(claimValues()),
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
