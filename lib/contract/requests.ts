import * as v from 'valibot'
import {
  maxAllowedNftsPerPage,
  maxContractsPerPage,
  maxNftsPerPage,
  maxTokenIdsPerAllowlisting,
  maxTokenIdsPerUnbinding,
  maxTokenIdsPerUnbindingList,
} from '../domain/allowlist/allowlist-limits.ts'
import { maxPlayerNftsPerPage } from '../domain/player/player-nfts.ts'
import { maxEventsPerPage } from '../domain/product/product-event.ts'
import { maxOverlapSeconds } from '../domain/product/product-key.ts'
import { maxUsageDays } from '../domain/usage/usage.ts'
import {
  chain,
  chainFilter,
  contractAddress,
  contractCursor,
  count,
  cursor,
  emailText,
  eventCursor,
  futureTime,
  listCursor,
  nameText,
  productId,
  text,
  tokenElements,
  websiteText,
  wholeNumber,
} from './fields.ts'
import type { OpenChains } from './route.ts'

const oneWebsite = 'is another name of website and must have the same value'

function haveOneWebsite({ website, websiteLink }: { website?: unknown; websiteLink?: unknown }) {
  return website === undefined || websiteLink === undefined || website === websiteLink
}

/** The body of 4.1; `website` and `websiteLink` are two names of one field (D7). */
export const productRegistration = v.pipe(
  v.object({
    name: nameText(2, 100),
    description: v.optional(text(10, 2000)),
    contactEmail: emailText,
    companyName: nameText(2, 100),
    companyDescription: v.optional(text(10, 2000)),
    website: v.optional(websiteText),
    websiteLink: v.optional(websiteText),
  }),
  v.forward(v.partialCheck([['website'], ['websiteLink']], haveOneWebsite, oneWebsite), [
    'websiteLink',
  ]),
)

const allowlistingOn = (openChains: OpenChains) =>
  v.object({
    chain: v.optional(chain(openChains)),
    contractAddress,
    contractDescription: v.optional(text(10, 2000)),
    tokens: tokenElements(1, maxTokenIdsPerAllowlisting),
  })

/** The chains that a deployment opens by default (D56). */
const openByDefault: OpenChains = ['POLYGON', 'BSC']

/**
 * The body of 4.3: its chain is one of those that the deployment opens for allowlisting (D56). The
 * description is required for a contract that is not connected yet (D37).
 */
export const allowlisting = Object.assign(allowlistingOn(openByDefault), {
  withOpenChains: allowlistingOn,
})

/** A field of a product that a change can remove with `null`. */
const removable = <Schema extends v.GenericSchema>(schema: Schema) =>
  v.exactOptional(v.nullable(schema))

/** The body of a change of a product: any of the fields of 4.1, within the same bounds (D45), and client access. */
export const productChanges = v.pipe(
  v.object({
    name: v.exactOptional(nameText(2, 100)),
    description: removable(text(10, 2000)),
    contactEmail: v.exactOptional(emailText),
    companyName: v.exactOptional(nameText(2, 100)),
    companyDescription: removable(text(10, 2000)),
    website: removable(websiteText),
    websiteLink: removable(websiteText),
    clientAccess: v.exactOptional(v.boolean('must be true or false')),
  }),
  v.forward(v.partialCheck([['website'], ['websiteLink']], haveOneWebsite, oneWebsite), [
    'websiteLink',
  ]),
)

/** The query of the deletion of a product: its exact name (D45). */
export const productDeletion = v.object({ confirm: text(2, 100) })

/** The body of a new API key (D46). */
export const keyCreation = v.object({
  label: nameText(2, 100),
  scope: v.picklist(['MANAGE', 'READ'], 'must be MANAGE or READ'),
  expiresAt: v.optional(futureTime),
})

/** The body of the rotation of an API key (D46). */
export const keyRotation = v.object({
  overlapSeconds: v.optional(wholeNumber(0, maxOverlapSeconds)),
  expiresAt: v.optional(futureTime),
})

/** The query of 4.4 (D18). */
export const allowedNftsRange = v.object({
  limit: v.optional(count(1, maxAllowedNftsPerPage)),
  cursor: v.optional(listCursor),
})

/** The query of the allowlisted NFTs with their metadata (D60). */
export const nftsRange = v.object({
  chain: v.optional(chain()),
  contractAddress: v.optional(contractAddress),
  limit: v.optional(count(1, maxNftsPerPage)),
  cursor: v.optional(listCursor),
})

/** The query of the connected contracts (D37). */
export const contractsRange = v.object({
  limit: v.optional(count(1, maxContractsPerPage)),
  cursor: v.optional(contractCursor),
})

/** The query of the events (D49). */
export const eventsRange = v.object({
  limit: v.optional(count(1, maxEventsPerPage)),
  cursor: v.optional(eventCursor),
})

/** The query of the usage of a product (D55). */
export const usageRange = v.object({ days: v.optional(count(1, maxUsageDays)) })

/** The query of 4.5. */
export const contractToUnbind = v.object({ contractAddress, chain: chain() })

/** The query of 4.6 (D20). */
export const nftsToUnbind = v.object({
  contractAddress,
  tokens: tokenElements(1, maxTokenIdsPerUnbinding),
  chain: chain(),
})

/** The body of unbinding a list of NFTs (D50). */
export const nftListToUnbind = v.object({
  contractAddress,
  tokens: tokenElements(1, maxTokenIdsPerUnbindingList),
  chain: chain(),
})

/** The body of 4.7 (D31). */
export const contractToRefresh = v.object({
  smartContract: contractAddress,
  chain: v.optional(chain()),
})

/** The query of 4.11 (D52). */
export const playerTokenRequest = v.object({ productId: v.optional(productId) })

const playerNftsOn = (openChains: OpenChains) =>
  v.pipe(
    v.object({
      chains: v.optional(chainFilter(openChains)),
      chainDtos: v.optional(chainFilter(openChains)),
      limit: v.optional(count(1, maxPlayerNftsPerPage)),
      cursor: v.optional(cursor),
    }),
    v.forward(
      v.partialCheck(
        [['chains'], ['chainDtos']],
        ({ chains, chainDtos }) =>
          chains === undefined || chainDtos === undefined || `${chains}` === `${chainDtos}`,
        'is another name of chains and must have the same value',
      ),
      ['chainDtos'],
    ),
  )

/**
 * The query of 4.8 and 4.9, beside the credentials (D13, D25); `chains` and `chainDtos` are two names of one
 * parameter (D51). The messages name the chains that the deployment opens (D56).
 */
export const playerNftsRange = Object.assign(playerNftsOn(openByDefault), {
  withOpenChains: playerNftsOn,
})
