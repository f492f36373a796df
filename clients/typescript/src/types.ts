// `npm run generate` writes this file from the operations.
import type { TokenElement } from './token-elements.ts'

/** The name of an operation: its `operationId`, and its method. */
export type OperationId =
  | 'registerProduct'
  | 'getProduct'
  | 'updateProduct'
  | 'deleteProduct'
  | 'createKey'
  | 'listKeys'
  | 'rotateKey'
  | 'endKey'
  | 'allowlistNfts'
  | 'getAllowedNfts'
  | 'getNfts'
  | 'getContracts'
  | 'getEvents'
  | 'getUsage'
  | 'getWebhookEvents'
  | 'unbindContract'
  | 'unbindNfts'
  | 'unbindNftList'
  | 'refreshMetadata'
  | 'createWebhook'
  | 'listWebhooks'
  | 'updateWebhook'
  | 'rotateWebhookSecret'
  | 'testWebhook'
  | 'replayWebhook'
  | 'deleteWebhook'
  | 'getRawMetadata'
  | 'getStructuredMetadata'
  | 'getPublicKey'
  | 'createPlayerToken'
  | 'getPlayerDetails'
  | 'getPlayerBalance'
  | 'createSignInMessage'
  | 'signIn'
  | 'getSignedInUser'
  | 'addWallet'
  | 'removeWallet'
  | 'signOut'
  | 'getGames'
  | 'endAccess'
  | 'authorizeDevice'
  | 'getDeviceRequest'
  | 'decideDeviceRequest'
  | 'createToken'
  | 'getAuthorizationServer'
  | 'getKeySet'
  | 'getOpenapi'

/** The key of a new product. */
export type ProductKey = {
  /**
   * The product API key for the header `X-Api-Key`. It is shown only here: keep it.
   * @format uuid
   */
  apiKey: string
  /**
   * The public identity of the product. It gives no access by itself, and never changes.
   * @format uuid
   */
  productId: string
}

/** The registration of a product, and its limits. An optional field without a value is absent. */
export type Product = {
  /**
   * The public identity of the product. It gives no access by itself, and never changes.
   * @format uuid
   */
  productId: string
  /** Name of the product, without control characters. */
  name: string
  /** Description of the product. */
  description?: string
  /** Contact e-mail address, without control characters. */
  contactEmail: string
  /** Name of the company, without control characters. */
  companyName: string
  /** Description of the company. */
  companyDescription?: string
  /** Website: an http or https URL, or text without a scheme such as `www.example.com`. */
  website?: string
  /** Another name of `website`, with the same value. */
  websiteLink?: string
  /**
   * Whether games can read the NFTs of their players with `productId` in place of the API key.
   * Absent: no.
   */
  clientAccess?: boolean
  /**
   * Whether players can sign in to the game with their wallets. Absent: no. Only in deployments
   * with `walletSignIn`.
   */
  signIn?: boolean
  /**
   * The hosts at which the game itself lets players sign in, and from whose pages it asks for codes
   * of devices, as in `location.host`: up to 10. Only in deployments with `walletSignIn`.
   */
  signInDomains?: string[]
  /**
   * With `signIn`: `ON`, or `WAITING` while the operator of the service has not permitted the name,
   * the company and the hosts of the product. Only in deployments with `walletSignIn`.
   */
  signInState?: 'ON' | 'WAITING'
  /**
   * The limits that can refuse calls of the product, as set by the operator of the service. Absent:
   * the service has no such limits.
   */
  limits?: ProductLimit[]
}

/** A limit of a product, or of each of its players. */
export type ProductLimit = {
  /** The name of the limit, as problem details show it. Values can be added. */
  name: string
  /** What can be spent in a period. */
  count: number
  /** The period, in seconds. Absent: the limit is of a total, and has no period. */
  perSeconds?: number
}

/** The result of the operation. */
export type Confirmation = {
  /** A sentence for a person. */
  message: string
}

/** A new API key. */
export type NewKey = {
  /** The public identity of the key. */
  keyId: string
  /** The label that the key was created with. */
  label: string
  /** `MANAGE` permits everything, `READ` permits reading the NFTs of players. */
  scope: 'MANAGE' | 'READ'
  /** The last four characters of the key. */
  last4: string
  /**
   * When the key was created, in UTC.
   * @format date-time
   */
  createdAt: string
  /**
   * When the key ends or has ended by itself, in UTC; `null` if it does not.
   * @format date-time
   */
  expiresAt: string | null
  /**
   * The day of the latest use, in UTC; `null` before the first use.
   * @format date
   */
  lastUsedOn: string | null
  /**
   * When the key ended, in UTC; `null` while it works.
   * @format date-time
   */
  endedAt: string | null
  /**
   * Why the key ended: `deleted` by a call, `expired` at its end, `rotated` at the end of the
   * overlap; `null` while it works.
   */
  endReason: 'deleted' | 'expired' | 'rotated' | null
  /** The API key for the header `X-Api-Key`. It is shown only here: keep it. */
  apiKey: string
}

/** An API key, without the key itself. */
export type ListedKey = {
  /** The public identity of the key. */
  keyId: string
  /** The label that the key was created with. */
  label: string
  /** `MANAGE` permits everything, `READ` permits reading the NFTs of players. */
  scope: 'MANAGE' | 'READ'
  /** The last four characters of the key. */
  last4: string
  /**
   * When the key was created, in UTC.
   * @format date-time
   */
  createdAt: string
  /**
   * When the key ends or has ended by itself, in UTC; `null` if it does not.
   * @format date-time
   */
  expiresAt: string | null
  /**
   * The day of the latest use, in UTC; `null` before the first use.
   * @format date
   */
  lastUsedOn: string | null
  /**
   * When the key ended, in UTC; `null` while it works.
   * @format date-time
   */
  endedAt: string | null
  /**
   * Why the key ended: `deleted` by a call, `expired` at its end, `rotated` at the end of the
   * overlap; `null` while it works.
   */
  endReason: 'deleted' | 'expired' | 'rotated' | null
}

/** An entry of the allowlist: an NFT, a range of NFTs, or the whole collection. */
export type AllowedNft = {
  /**
   * Token identifier within the contract, as decimal text of up to 78 digits; or a range `a..b` of
   * two of them, with both ends included; or `*`, which is every token identifier.
   */
  tokenId: string
  /** Contract address, in lower case. */
  address: string
  /** Chain name. Chains can be added to those of `Chain`. */
  chain: string
}

/** An allowlisted NFT with its metadata. */
export type DescribedNft = {
  /** Token identifier within the contract, as decimal text of up to 78 digits. */
  tokenId: string
  /** Contract address, in lower case. */
  address: string
  /** Chain name. Chains can be added to those of `Chain`. */
  chain: string
  /**
   * Location of the metadata document: the HTTP form of the token URI if it exists, else the URI of
   * the contract, else `""`. In a URI of up to 2,048 characters, the token identifier replaces the
   * `{id}` of ERC-1155. It is whatever the contract says, with any scheme: do not open it without a
   * check.
   */
  metadataLink: string
  /**
   * Why the metadata is missing: it is not available, it is not a JSON object, or it is over 1 MiB.
   * Absent if the metadata is present.
   */
  metadataError?: 'not_available' | 'not_an_object' | 'too_large'
  /** The metadata, in one form for all games. */
  formattedMetadata: StructuredMetadata
  /**
   * How many entries of its attributes are not in `formattedMetadata`, because their form is not
   * known, or because they have no name or no value. Raw metadata has them. Absent if it is 0.
   */
  attributesLeftOut?: number
}

/** Metadata in one form for all games. */
export type StructuredMetadata = {
  /** Its name, `""` if there is none. */
  name: string
  /** Its description, `""` if there is none. */
  description: string
  /**
   * URL of its image (`https:`, `http:` or `data:`), `null` if there is none. SVG markup is in a
   * `data:` URL. It is whatever the metadata says, and can be an SVG document, which can contain
   * scripts: show it only as an image, for example with `<img>`.
   */
  image: string | null
  /** Its attributes, in the order of the metadata. */
  attributes: Attribute[]
}

/** An attribute of an NFT. */
export type Attribute = {
  /** Its `name` in the metadata, else its `trait_type` or `key`. */
  name: string
  /** Its value as text, numbers as the indexer sends them: `2` is `"2"`, `5.0` is `"5.0"`. */
  value: string
}

/** A contract that is connected to the product. */
export type ConnectedContract = {
  /** Chain name. Chains can be added to those of `Chain`. */
  chain: string
  /** Contract address, in lower case. */
  address: string
  /** The description of the latest allowlisting that had one. */
  description: string
  /**
   * When the contract was connected, in UTC. A new connection has a new time.
   * @format date-time
   */
  connectedAt: string
  /**
   * The number of allowlisted token identifiers, those of ranges included. Absent if there are more
   * than 1,000.
   */
  nftCount?: number
  /**
   * The ranges of the allowlist, in the order of numbers: `a..b` with both ends included, or `*`,
   * which is every token identifier. Absent without ranges.
   */
  ranges?: string[]
  /**
   * Whether the service keeps who holds the NFTs of the contract. Absent in a deployment that
   * follows no chain or keeps no contract.
   */
  ownership?: ContractOwnership
}

/** Whether the service keeps who holds the NFTs of a contract. */
export type ContractOwnership = {
  /**
   * `true`: reads answer from what the service has read of the chain, while that is at most a
   * minute old. `false`: they ask the indexer.
   */
  kept: boolean
  /**
   * Since when, in UTC. Only with `kept`. It is later after a new snapshot.
   * @format date-time
   */
  since?: string
  /**
   * Why the contract is not kept. `chain_not_followed`: the deployment does not keep contracts of
   * this chain. `above_limit`: earlier contracts of the list use up the number of contracts that
   * are kept of a product. `not_read`: it is read too seldom. `in_preparation`: a snapshot is made.
   * `busy`: it has more events than are followed; followed again after some time. `events_refused`:
   * the chain does not tell its events; asked again after some time. `unknown_event`: an event was
   * not understood. `too_many_nfts`: it has more NFTs than are kept of a contract.
   * `owners_not_listed`: the indexer lists no owners of it. `doubted`: a check has found a
   * difference from the chain. `interrupted`: its events were not known for some time; a new
   * snapshot follows.
   */
  reason?: 'chain_not_followed' | 'above_limit' | 'not_read' | 'in_preparation' | 'busy' | 'events_refused' | 'unknown_event' | 'too_many_nfts' | 'owners_not_listed' | 'doubted' | 'interrupted'
}

/** A change of the product. */
export type ProductEvent = {
  /** Identifies the event. */
  eventId: string
  /**
   * When the change began, in UTC.
   * @format date-time
   */
  at: string
  /**
   * The API key that made the change. null: the operator of the service made it, or the service
   * itself (`pauseWebhook`).
   */
  keyId: string | null
  /**
   * The operation that made the change, by its `operationId`, for example `allowlistNfts`. Values
   * can be added.
   */
  action: string
  /** The key that the change added (`createKey`, `rotateKey`). null for other changes. */
  newKeyId: string | null
  /**
   * The key that the change ended (`endKey`), or that ends after the overlap (`rotateKey`). null
   * for other changes.
   */
  endedKeyId: string | null
  /** The webhook that the change is about. null for other changes. */
  webhookId: string | null
  /** Chain name. null if the change is not about a contract. */
  chain: string | null
  /** Contract address, in lower case. null if the change is not about a contract. */
  contractAddress: string | null
  /**
   * The number of NFTs: the elements of the request (`allowlistNfts`), removed (`unbindNfts`), or
   * checked so far (`refreshMetadata`). null for other changes.
   * @format int64
   */
  count: number | null
  /**
   * The first 10 ranges of the request (`allowlistNfts`, `unbindNfts`), merged and in the order of
   * numbers. null without ranges.
   */
  ranges: string[] | null
  /**
   * `done`; `failed`: the request got an error, and a part of the change can have taken effect;
   * `unknown`: the change has not ended, or its end was not recorded.
   */
  outcome: 'done' | 'failed' | 'unknown'
}

/** The usage of a product on one day. */
export type DailyUsage = {
  /**
   * The day, in UTC.
   * @format date
   */
  day: string
  /** The number of calls for each operation and outcome. */
  calls: CountedCalls[]
  /** The number of requests to the NFT indexer, including those of refreshes in the background. */
  indexerCalls: number
  /**
   * The number of distinct players of `getRawMetadata` and `getStructuredMetadata`: exact below
   * 256, then an estimate with a standard error of 6.3 %.
   */
  players: number
  /** Whether `players` is an estimate. */
  playersEstimated: boolean
  /** The number of calls that each limit refused. */
  limited: LimitedCalls[]
}

/** The calls of an operation with one outcome. */
export type CountedCalls = {
  /** The `operationId`. Values can be added. */
  operation: string
  /** `success`, or the `code` of the problem. Values can be added. */
  outcome: string
  /** The number of calls. */
  count: number
}

/** The calls that one limit refused with 429. */
export type LimitedCalls = {
  /** The name of the limit, as problem details show it. Values can be added. */
  limit: string
  /** The number of calls. */
  count: number
}

/** Events of the NFTs of a product. */
export type WebhookEvents = {
  /** The events, in the order of each chain. Between chains there is no order. */
  events: WebhookEvent[]
  /** Send it with the next request. It does not expire, but events are kept for 7 days. */
  cursor: string
  /** Whether there is more to read at once. */
  hasMore: boolean
  /**
   * The chains on which this service does not follow contracts of the product: it follows nothing
   * there, or its source refuses the events of a contract for now. Their events are missing.
   */
  notFollowed: string[]
}

/** An event of an NFT. */
export type WebhookEvent = {
  /** Identifies the event: the same in every response. */
  id: string
  /**
   * `nft.transferred`: an NFT changed hands, was minted or was burned. `nft.metadata_changed`: NFTs
   * may have new metadata (ERC-4906). `events.missed`: events of the contract are not known; read
   * the players anew. Values can be added.
   */
  type: 'nft.transferred' | 'nft.metadata_changed' | 'events.missed'
  /**
   * The time of the block, in UTC.
   * @format date-time
   */
  timestamp: string
  /** What has happened. A field that the type does not have is absent. */
  data: WebhookEventData
}

/** What has happened to an NFT, or which events are not known. */
export type WebhookEventData = {
  /** Chain name. */
  chain: string
  /** Contract address, in lower case. */
  contractAddress: string
  /** Of a transfer: the token identifier. */
  tokenId?: string
  /** Of a transfer: how many of the token; 1 of ERC-721. */
  amount?: string
  /** Of a transfer: the wallet that had the NFT. null: it was minted. */
  from?: string | null
  /** Of a transfer: the wallet that has the NFT. null: it was burned. */
  to?: string | null
  /** Of new metadata: the first token identifier. */
  fromTokenId?: string
  /** Of new metadata: the last token identifier. */
  toTokenId?: string
  /**
   * Of missed events: the first block. null: not known; everything since the event before.
   * @format int64
   */
  fromBlock?: number | null
  /** Of missed events: the last block. */
  toBlock?: number
  /**
   * Of missed events. `gap`: nobody read the blocks, or the contract was not watched. `busy`: there
   * were too many events. `refused`: the source of the service refused to tell them, and the chain
   * is in `notFollowed` until it is asked again. `reorganization`: the chain has replaced blocks of
   * which events were told. `malformed`: the contract has emitted something that is not of the
   * standard. `expired`: the events were not asked for within 7 days. Values can be added.
   */
  reason?: 'gap' | 'busy' | 'refused' | 'reorganization' | 'malformed' | 'expired'
  /** The transaction, except of missed events. */
  transactionHash?: string
  /** The block, except of missed events. */
  block?: WebhookEventBlock
  /** The index of the event in its block, except of missed events. */
  logIndex?: number
}

/** A block. */
export type WebhookEventBlock = {
  /** Its number. */
  number: number
  /** Its hash. */
  hash: string
  /**
   * Its time, in UTC; later, by seconds or the length of an outage, if the indexer does not say the
   * time of events.
   * @format date-time
   */
  timestamp: string
}

/** The result of unbinding NFTs. */
export type UnboundNfts = {
  /** A sentence for a person. */
  message: string
  /**
   * The number of removed single NFTs. NFTs that were not on the list do not count, and NFTs that
   * only a range had do not either, unless the request names them alone.
   */
  removed: number
}

/** What a refresh has found so far. */
export type RefreshReport = {
  /** Contract address, in lower case. */
  smartContract: string
  /** The chains on which it was refreshed. */
  chains: string[]
  /** How many NFTs were looked at. */
  checked: number
  /** How many of them have other metadata now. */
  changed: number
  /** How many could not be fetched from their source. */
  failed: number
  /**
   * How many are still to be looked at, in the background; at least so many, if counting takes too
   * long, or if the contract has ranges.
   */
  pending: number
  /**
   * When the refresh began, in UTC.
   * @format date-time
   */
  refreshedAt: string
  /**
   * The NFTs that this request could not fetch, with the reason. An NFT that the background could
   * not fetch counts in `failed` only.
   */
  failures: FailedNft[]
  /** The NFTs that this request found changed, as they are now. */
  tokens: RefreshedNft[]
  /** How many changed NFTs are not among `tokens`. Absent if none. */
  omitted?: number
}

/** An NFT whose metadata could not be fetched. */
export type FailedNft = {
  /** Token identifier within the contract, as decimal text of up to 78 digits. */
  tokenId: string
  /** Contract address, in lower case. */
  address: string
  /** Chain name. Chains can be added to those of `Chain`. */
  chain: string
  /**
   * `no_link`: the contract gives no location of a metadata document. `not_available`: the document
   * at the location cannot be fetched or read, or the indexer does not know the NFT. Reasons can be
   * added.
   */
  reason: 'no_link' | 'not_available'
  /**
   * Location of the metadata document. Absent if there is none, or if it is over 2,048 characters
   * long, which is a document in a `data:` URI.
   */
  metadataLink?: string
}

/** An NFT and its raw metadata. */
export type RefreshedNft = {
  /** Token identifier within the contract, as decimal text of up to 78 digits. */
  tokenId: string
  /** Contract address, in lower case. */
  address: string
  /** Chain name. Chains can be added to those of `Chain`. */
  chain: string
  /**
   * Location of the metadata document: the HTTP form of the token URI if it exists, else the URI of
   * the contract, else `""`. In a URI of up to 2,048 characters, the token identifier replaces the
   * `{id}` of ERC-1155. It is whatever the contract says, with any scheme: do not open it without a
   * check.
   */
  metadataLink: string
  /**
   * Why the metadata is missing: it is not available, it is not a JSON object, or it is over 1 MiB.
   * Absent if the metadata is present.
   */
  metadataError?: 'not_available' | 'not_an_object' | 'too_large'
  /**
   * The metadata document as the indexer sends it, byte for byte: any keys in their order, every
   * number with all its digits. `{}` if there is a `metadataError`. Common keys are `name`,
   * `description`, `imageUrl`, `maxSupply`, `attributes` (objects of `trait_type`, `name`, `value`,
   * `display_type`), `pack`, and an item object named after the game. Its texts and URLs are
   * whatever the contract says: show texts as text, never as HTML.
   */
  rawMetadata: Record<string, unknown>
  /**
   * The text of `rawMetadata`, byte for byte: `rawMetadata` itself rounds numbers above 2^53. With
   * the parameter `rawMetadata: 'text'`, `rawMetadata` is parsed each time that it is read.
   */
  rawMetadataText: string
}

/** A webhook with its secret. */
export type WebhookWithSecret = {
  /** The identity of the webhook. */
  webhookId: string
  /** Where messages are sent, as it is called. */
  url: string
  /** The types of events that are sent. */
  events: string[]
  /** What the webhook is for. */
  description: string
  /**
   * `unverified`: the server at the URL has not answered a test yet, and gets nothing else.
   * `active`. `failing`: the latest attempt failed, and will be repeated. `paused`: by a call,
   * after 76 hours of failures, or after 410. Values can be added.
   */
  state: 'unverified' | 'active' | 'failing' | 'paused'
  /**
   * When it was created, in UTC.
   * @format date-time
   */
  createdAt: string
  /**
   * When an event was delivered last, in UTC. null: never.
   * @format date-time
   */
  lastDeliveredAt: string | null
  /** The latest failure since the URL was verified, but for those of tests. null: none. */
  lastFailure: WebhookFailure | null
  /** How many attempts have failed since the last delivery. */
  failures: number
  /**
   * Since when there have been events to deliver, in UTC. null: nothing is pending.
   * @format date-time
   */
  pendingSince: string | null
  /**
   * No attempt is made before this time, in UTC. null: the next attempt is not delayed.
   * @format date-time
   */
  nextAttemptAt: string | null
  /**
   * How far the deliveries are behind, in seconds, while something is pending. One message is sent
   * at a time, so a server that answers in 100 milliseconds gets at most 600 in a minute, and one
   * that takes longer than two seconds is called a fourth of the time.
   */
  behindSeconds: number | null
  /**
   * Until when the secret before the last rotation signs too, in UTC. null: it does not.
   * @format date-time
   */
  oldSecretEndsAt: string | null
  /**
   * The secret of Standard Webhooks with which the server verifies messages. It is shown only here:
   * keep it.
   */
  secret: string
}

/** Why a message was not delivered. */
export type WebhookFailure = {
  /**
   * When, in UTC.
   * @format date-time
   */
  at: string
  /**
   * `unexpected_status`, `timeout`, `host_not_found`, `address_not_public`, `connection_failed`,
   * `certificate_invalid`, `answer_malformed`, `secret_ended`. Values can be added.
   */
  code: string
  /** The HTTP status of the answer. null: there was no answer. */
  status: number | null
}

/** The webhooks of a product. */
export type Webhooks = {
  /** The webhooks. */
  webhooks: Webhook[]
  /**
   * The chains on which this service does not follow contracts of the product: it follows nothing
   * there, or its source refuses the events of a contract for now. Their events are missing.
   */
  notFollowed: string[]
  /**
   * Whether the product has more contracts than events are logged for: the last ones, in the order
   * of the list of contracts, have no events.
   */
  contractsOverLimit: boolean
}

/** A webhook, without its secret. */
export type Webhook = {
  /** The identity of the webhook. */
  webhookId: string
  /** Where messages are sent, as it is called. */
  url: string
  /** The types of events that are sent. */
  events: string[]
  /** What the webhook is for. */
  description: string
  /**
   * `unverified`: the server at the URL has not answered a test yet, and gets nothing else.
   * `active`. `failing`: the latest attempt failed, and will be repeated. `paused`: by a call,
   * after 76 hours of failures, or after 410. Values can be added.
   */
  state: 'unverified' | 'active' | 'failing' | 'paused'
  /**
   * When it was created, in UTC.
   * @format date-time
   */
  createdAt: string
  /**
   * When an event was delivered last, in UTC. null: never.
   * @format date-time
   */
  lastDeliveredAt: string | null
  /** The latest failure since the URL was verified, but for those of tests. null: none. */
  lastFailure: WebhookFailure | null
  /** How many attempts have failed since the last delivery. */
  failures: number
  /**
   * Since when there have been events to deliver, in UTC. null: nothing is pending.
   * @format date-time
   */
  pendingSince: string | null
  /**
   * No attempt is made before this time, in UTC. null: the next attempt is not delayed.
   * @format date-time
   */
  nextAttemptAt: string | null
  /**
   * How far the deliveries are behind, in seconds, while something is pending. One message is sent
   * at a time, so a server that answers in 100 milliseconds gets at most 600 in a minute, and one
   * that takes longer than two seconds is called a fourth of the time.
   */
  behindSeconds: number | null
  /**
   * Until when the secret before the last rotation signs too, in UTC. null: it does not.
   * @format date-time
   */
  oldSecretEndsAt: string | null
}

/** The result of a test. */
export type WebhookTest = {
  /** Whether the server has answered the challenge. */
  delivered: boolean
  /** The HTTP status of its answer. null: there was no answer. */
  status: number | null
  /**
   * How long the attempt took. null: there was none.
   * @format int64
   */
  milliseconds: number | null
  /**
   * Why it was not delivered: the `code` of a failure, or `challenge_not_answered`. null: it was.
   */
  failure: string | null
}

/** An NFT of a player, with raw metadata. */
export type RawNft = {
  /** Token identifier within the contract, as decimal text of up to 78 digits. */
  tokenId: string
  /** Contract address, in lower case. */
  address: string
  /** Chain name. Chains can be added to those of `Chain`. */
  chain: string
  /**
   * Location of the metadata document: the HTTP form of the token URI if it exists, else the URI of
   * the contract, else `""`. In a URI of up to 2,048 characters, the token identifier replaces the
   * `{id}` of ERC-1155. It is whatever the contract says, with any scheme: do not open it without a
   * check.
   */
  metadataLink: string
  /**
   * Why the metadata is missing: it is not available, it is not a JSON object, it is over 1 MiB, or
   * the service does not have it yet while the indexer is down. Absent if the metadata is present.
   */
  metadataError?: 'not_available' | 'not_an_object' | 'too_large' | 'indexer_unavailable'
  /** The wallet that holds the NFT, in lower case. */
  owner: string
  /** The amount that this wallet holds, as decimal text; `"1"` for ERC-721. */
  balance: string
  /**
   * The metadata document as the indexer sends it, byte for byte: any keys in their order, every
   * number with all its digits. `{}` if there is a `metadataError`. Common keys are `name`,
   * `description`, `imageUrl`, `maxSupply`, `attributes` (objects of `trait_type`, `name`, `value`,
   * `display_type`), `pack`, and an item object named after the game. Its texts and URLs are
   * whatever the contract says: show texts as text, never as HTML.
   */
  rawMetadata: Record<string, unknown>
  /**
   * The text of `rawMetadata`, byte for byte: `rawMetadata` itself rounds numbers above 2^53. With
   * the parameter `rawMetadata: 'text'`, `rawMetadata` is parsed each time that it is read.
   */
  rawMetadataText: string
}

/** An NFT of a player, with structured metadata. */
export type StructuredNft = {
  /** Token identifier within the contract, as decimal text of up to 78 digits. */
  tokenId: string
  /** Contract address, in lower case. */
  address: string
  /** Chain name. Chains can be added to those of `Chain`. */
  chain: string
  /**
   * Location of the metadata document: the HTTP form of the token URI if it exists, else the URI of
   * the contract, else `""`. In a URI of up to 2,048 characters, the token identifier replaces the
   * `{id}` of ERC-1155. It is whatever the contract says, with any scheme: do not open it without a
   * check.
   */
  metadataLink: string
  /**
   * Why the metadata is missing: it is not available, it is not a JSON object, it is over 1 MiB, or
   * the service does not have it yet while the indexer is down. Absent if the metadata is present.
   */
  metadataError?: 'not_available' | 'not_an_object' | 'too_large' | 'indexer_unavailable'
  /** The wallet that holds the NFT, in lower case. */
  owner: string
  /** The amount that this wallet holds, as decimal text; `"1"` for ERC-721. */
  balance: string
  /** The metadata, in one form for all games. */
  formattedMetadata: StructuredMetadata
  /**
   * How many entries of its attributes are not in `formattedMetadata`, because their form is not
   * known, or because they have no name or no value. Raw metadata has them. Absent if it is 0.
   */
  attributesLeftOut?: number
}

/** The key that signs user JWTs now. */
export type PublicKey = {
  /** Base64 of the DER form of its SubjectPublicKeyInfo. */
  publicKey: string
}

/** A player token. */
export type PlayerToken = {
  /** A JWT that identifies the player inside games for 24 hours. */
  token: string
}

/** Who a player is, and what the player has. */
export type PlayerDetails = {
  /** User id. */
  userId: number
  /** User name. */
  username: string
  /** The same balance as text, for parsers that read numbers as doubles. */
  amountText: string
  /** The service's token. */
  token: ServiceToken
}

/** The ERC-20 token whose balance the service shows. */
export type ServiceToken = {
  /** Chain name. Chains can be added to those of `Chain`. */
  chain: string
  /** Contract address, in lower case. */
  address: string
  /** The number of decimal places of a whole token. */
  decimals: number
  /** The symbol of the token. Absent if the deployment does not name it. */
  symbol?: string
}

/** A message to sign. */
export type SignInMessage = {
  /** The message. The wallet signs exactly this text. */
  message: string
  /**
   * When it can be used no more.
   * @format date-time
   */
  expiresAt: string
}

/** A sign-in. */
export type SignedIn = {
  /** With `productId`: a token for Create token. */
  refreshToken?: string
  /** Without `productId`: the credential of the page. */
  session?: string
  /** The user. */
  user: SignedInUser
}

/** A user who signs in with wallets. */
export type SignedInUser = {
  /** The id of the user, which games see too. */
  userId: number
  /** The name of the user: that of the first wallet, until the user has chosen one. */
  username: string
  /** The wallets of the user, the oldest first: 1 to 20. */
  wallets: UserWallet[]
}

/** A wallet of a user. */
export type UserWallet = {
  /** The address. */
  address: string
  /**
   * The only chain on which the wallet counts, because it is a smart account. `null`: all chains.
   */
  chain: string | null
  /**
   * When the wallet was added.
   * @format date-time
   */
  addedAt: string
}

/** A game that can get player tokens. */
export type GameWithAccess = {
  /** Its `productId`. */
  productId: string
  /** Its name. `null`: the product was deleted. */
  name: string | null
  /** Its company. `null`: the product was deleted. */
  companyName: string | null
  /**
   * When its access ends.
   * @format date-time
   */
  until: string
}

/** The codes of a sign-in on a device. */
export type DeviceCodes = {
  /** The code with which the game polls. The game shows it to nobody. */
  device_code: string
  /** The code that the player enters. */
  user_code: string
  /** The page on which the player enters it. */
  verification_uri: string
  /** The same page, with the code. */
  verification_uri_complete: string
  /** How long both codes are valid, in seconds. */
  expires_in: number
  /** The shortest time between two polls, in seconds. */
  interval: number
}

/** A game that asks for access on a device. */
export type DeviceRequest = {
  /** The code, as the device shows it. */
  userCode: string
  /** The game. */
  product: AskingProduct
  /** What has become of it: `pending`, `approved`, `denied` or `expired`. */
  state: 'pending' | 'approved' | 'denied' | 'expired'
  /**
   * When the game has asked.
   * @format date-time
   */
  askedAt: string
  /**
   * Whether the game has asked from the network of this request. Otherwise the code may be that of
   * somebody else. It is `false` if a web page has asked that is not at one of the `signInDomains`
   * of the product: each web page can ask from the network of its visitor.
   */
  isSameNetwork: boolean
}

/** The game that asks. */
export type AskingProduct = {
  /** Its `productId`. */
  productId: string
  /** Its name. */
  name: string
  /** Its company. */
  companyName: string
}

/** The tokens of a game. */
export type Tokens = {
  /** A player token for this game, valid for 24 hours. */
  access_token: string
  /** Always `Bearer`. */
  token_type: 'Bearer'
  /** How long the player token is valid, in seconds. */
  expires_in: number
  /** The next refresh token. */
  refresh_token: string
}

/** The metadata of RFC 8414. */
export type AuthorizationServer = {
  /** The origin of the page. */
  issuer: string
  /** Where sign-ins on devices begin. */
  device_authorization_endpoint: string
  /** Where games get player tokens. */
  token_endpoint: string
  /** None: there is no authorization endpoint. */
  response_types_supported: string[]
  /** The values of `grant_type`. */
  grant_types_supported: string[]
  /** Games have no secret. */
  token_endpoint_auth_methods_supported: string[]
}

/** A JWK set (RFC 7517). */
export type JsonWebKeySet = {
  /** Every accepted key. */
  keys: JsonWebKey[]
}

/** A public key as a JWK. */
export type JsonWebKey = {
  /** Key type, such as `EC`. */
  kty: string
  /** Key id: its RFC 7638 thumbprint. The header of a player token names it. */
  kid: string
  /** The one algorithm it signs with. */
  alg: string
  /** Signatures. */
  use: 'sig'
} & { [name: string]: unknown }

/** An invalid field. */
export type FieldError = {
  /** The part of the request that contains the field. */
  in: 'body' | 'query' | 'header'
  /** The name of the field; within lists and objects the path, joined by dots: `tokens.3`. */
  path: string
  /** The fault of the field. */
  message: string
}

/** A limit of the caller that is exhausted. */
export type ExhaustedLimit = {
  /** The name of the limit. Names can be added and are never renamed. */
  name: 'registrations' | 'registrations_by_address' | 'player_tokens' | 'player_details' | 'client_reads' | 'indexer_calls_by_minute' | 'indexer_calls_by_day' | 'client_indexer_calls_by_minute' | 'client_indexer_calls_by_day' | 'allowlisted_nfts' | 'nfts' | 'new_keys' | 'webhook_tests' | 'webhook_tests_by_host' | 'webhook_replays' | 'sign_ins' | 'new_wallets' | 'sign_ins_by_address' | 'new_wallets_by_address' | 'refused_sign_ins_by_address' | 'contract_checks' | 'new_contract_checks' | 'contract_checks_by_account' | 'contract_checks_by_address' | 'contract_checks_of_pages_by_address' | 'device_codes' | 'device_codes_by_address' | 'device_codes_of_pages' | 'device_codes_of_pages_by_address' | 'device_guesses' | 'device_guesses_by_address'
  /** The amount that the limit allows in `perSeconds`. */
  count: number
  /** The period in seconds. Absent in a limit of a total. */
  perSeconds?: number
}

/** A message to consent to a wallet, and its signature. */
export type WalletConsent = {
  /** A message of createSignInMessage, exactly as it was returned. It counts once. */
  message: string
  /**
   * The signature of the message by the wallet (EIP-191, `personal_sign`): `0x` and the hexadecimal
   * digits of 65 bytes, or of 64 (ERC-2098).
   */
  signature: string
}

/** A product to register. */
export type RegisterProductParams = {
  /** Name of the product, without control characters. */
  name: string
  /** Description of the product. `null` or `""` means that the field is absent. */
  description?: string | null | undefined
  /** Contact e-mail address, without control characters. */
  contactEmail: string
  /** Name of the company, without control characters. */
  companyName: string
  /** Description of the company. `null` or `""` means that the field is absent. */
  companyDescription?: string | null | undefined
  /**
   * Website: an http or https URL, or text without a scheme such as `www.example.com`. `null` or
   * `""` means that the field is absent.
   */
  website?: string | null | undefined
  /**
   * Another name of `website`, with the same value. `null` or `""` means that the field is absent.
   */
  websiteLink?: string | null | undefined
}

/** Fields of a product to change. A field that is absent stays. */
export type UpdateProductParams = {
  /** Name of the product, without control characters. `null` means that the field is absent. */
  name?: string | null | undefined
  /** Description of the product. `null` removes it. */
  description?: string | null | undefined
  /** Contact e-mail address, without control characters. `null` means that the field is absent. */
  contactEmail?: string | null | undefined
  /** Name of the company, without control characters. `null` means that the field is absent. */
  companyName?: string | null | undefined
  /** Description of the company. `null` removes it. */
  companyDescription?: string | null | undefined
  /**
   * Website: an http or https URL, or text without a scheme such as `www.example.com`. `null`
   * removes it.
   */
  website?: string | null | undefined
  /** Another name of `website`, with the same value. `null` removes it. */
  websiteLink?: string | null | undefined
  /**
   * Whether games can read the NFTs of their players with `productId` in place of the API key.
   * Absent: no. `null` means that the field is absent.
   */
  clientAccess?: boolean | null | undefined
  /**
   * Whether players can sign in to the game with their wallets. Absent: no. Only in deployments
   * with `walletSignIn`. `null` means that the field is absent.
   */
  signIn?: boolean | null | undefined
  /**
   * The hosts at which the game itself lets players sign in, and from whose pages it asks for codes
   * of devices, as in `location.host`: up to 10. Only in deployments with `walletSignIn`. `null`
   * means that the field is absent.
   */
  signInDomains?: string[] | null | undefined
}

/** What {@link PlayerNfts.deleteProduct} takes. */
export type DeleteProductParams = {
  /**
   * The exact name of the product, as `GET /product` returns it. With any other text, nothing is
   * changed.
   */
  confirm: string
}

/** An API key to create. */
export type CreateKeyParams = {
  /** What the key is for, without control characters. */
  label: string
  /** `MANAGE` permits everything, `READ` permits reading the NFTs of players. */
  scope: 'MANAGE' | 'READ'
  /**
   * When the key ends: a time in the future (RFC 3339). Omitted: it has no end. `null` means that
   * the field is absent.
   * @format date-time
   */
  expiresAt?: string | null | undefined
}

/** How an API key is rotated. */
export type RotateKeyParams = {
  /** The `keyId` of the key, as the list of keys has it. */
  keyId: string
  /**
   * For how long both keys work, in seconds; a day if omitted. `null` or `""` means that the field
   * is absent.
   */
  overlapSeconds?: number | null | undefined
  /**
   * When the new key ends: a time in the future (RFC 3339). Omitted: it has no end. `null` means
   * that the field is absent.
   * @format date-time
   */
  expiresAt?: string | null | undefined
}

/** What {@link PlayerNfts.endKey} takes. */
export type EndKeyParams = {
  /** The `keyId` of the key, as the list of keys has it. */
  keyId: string
}

/** A contract to connect and NFTs to allowlist. */
export type AllowlistNftsParams = {
  /**
   * Chain name; `POLYGON` if omitted. A deployment may have other chains open. `null` or `""` means
   * that the field is absent.
   */
  chain?: string | null | undefined
  /**
   * Contract address: `0x` and 40 hexadecimal digits, all lower case, all upper case, or mixed with
   * a correct EIP-55 checksum.
   */
  contractAddress: string
  /**
   * What the contract is; replaces an earlier description. `null` or `""` means that the field is
   * absent.
   */
  contractDescription?: string | null | undefined
  /**
   * Token identifiers: unsigned 256-bit integers, decimal or `0x` hexadecimal; ranges `a..b` of
   * them; or `*`.
   */
  tokens: readonly TokenElement[]
}

/** What {@link PlayerNfts.getAllowedNfts} takes. */
export type GetAllowedNftsParams = {
  /** Maximum number of entries; 10,000 if omitted. */
  limit?: number | undefined
  /** The `nextCursor` of an earlier response. It does not expire. */
  cursor?: string | undefined
}

/** What {@link PlayerNfts.getNfts} takes. */
export type GetNftsParams = {
  /** Only NFTs on this chain. Omitted: on every chain. */
  chain?: string | undefined
  /**
   * Only NFTs of this contract, on each chain where the product has it. Omitted: of every contract.
   * The list is empty for a contract that is not connected.
   */
  contractAddress?: string | undefined
  /** Maximum number of NFTs; 100 if omitted. */
  limit?: number | undefined
  /**
   * The `nextCursor` of an earlier response, sent with the same `chain` and `contractAddress`. It
   * does not expire.
   */
  cursor?: string | undefined
}

/** What {@link PlayerNfts.getContracts} takes. */
export type GetContractsParams = {
  /** Maximum number of contracts; 100 if omitted. */
  limit?: number | undefined
  /** The `nextCursor` of an earlier response. It does not expire. */
  cursor?: string | undefined
}

/** What {@link PlayerNfts.getEvents} takes. */
export type GetEventsParams = {
  /** Maximum number of events; 100 if omitted. */
  limit?: number | undefined
  /** The `nextCursor` of an earlier response. It does not expire. */
  cursor?: string | undefined
}

/** What {@link PlayerNfts.getUsage} takes. */
export type GetUsageParams = {
  /** Number of days, including today; 30 if omitted. */
  days?: number | undefined
}

/** What {@link PlayerNfts.getWebhookEvents} takes. */
export type GetWebhookEventsParams = {
  /**
   * Returns what has happened since this time, of the last 7 days. Without it and without `cursor`:
   * since now.
   * @format date-time
   */
  since?: string | undefined
  /** The `cursor` of an earlier response. Not together with `since`. */
  cursor?: string | undefined
  /** Maximum number of events in the response; 100 if omitted. */
  limit?: number | undefined
}

/** What {@link PlayerNfts.unbindContract} takes. */
export type UnbindContractParams = {
  /**
   * Address of the contract: `0x` and 40 hexadecimal digits, all lower case, all upper case, or
   * mixed with a correct EIP-55 checksum.
   */
  contractAddress: string
  /** Chain on which the contract is connected. */
  chain: string
}

/** What {@link PlayerNfts.unbindNfts} takes. */
export type UnbindNftsParams = {
  /**
   * Address of the contract: `0x` and 40 hexadecimal digits, all lower case, all upper case, or
   * mixed with a correct EIP-55 checksum.
   */
  contractAddress: string
  /**
   * Elements to remove, repeated (`tokens=4&tokens=7`) or comma separated (`tokens=4,10..20`):
   * token identifiers, ranges `a..b` with both ends included, or `*`, which is every token
   * identifier. Token identifiers are unsigned 256-bit integers, as decimal or `0x` hexadecimal
   * text; leading zeros and duplicates are accepted.
   */
  tokens: readonly TokenElement[]
  /** Chain on which the contract is connected. */
  chain: string
}

/** NFTs of a contract to remove from its allowlist. */
export type UnbindNftListParams = {
  /**
   * Address of the contract: `0x` and 40 hexadecimal digits, all lower case, all upper case, or
   * mixed with a correct EIP-55 checksum.
   */
  contractAddress: string
  /**
   * Elements to remove: token identifiers, ranges `a..b` with both ends included, or `*`, which is
   * every token identifier. Token identifiers are unsigned 256-bit integers, as decimal or `0x`
   * hexadecimal text; leading zeros and duplicates are accepted.
   */
  tokens: readonly TokenElement[]
  /** Chain on which the contract is connected. */
  chain: string
}

/** A contract to refresh. */
export type RefreshMetadataParams = {
  /**
   * Contract address: `0x` and 40 hexadecimal digits, all lower case, all upper case, or mixed with
   * a correct EIP-55 checksum.
   */
  smartContract: string
  /**
   * Chain name; if omitted, every chain on which the product has the contract. `null` or `""` means
   * that the field is absent.
   */
  chain?: string | null | undefined
}

/** A webhook to create. */
export type CreateWebhookParams = {
  /**
   * An `https` URL with the port 443 or 8443 and a public host name, of at most 500 characters. It
   * is called exactly so; redirects are not followed.
   */
  url: string
  /** The types of events to send; all if omitted. `null` or `""` means that the field is absent. */
  events?: ('nft.transferred' | 'nft.metadata_changed' | 'events.missed')[] | null | undefined
  /**
   * What the webhook is for, of at most 500 characters. `null` or `""` means that the field is
   * absent.
   */
  description?: string | null | undefined
}

/** Fields of a webhook to change. */
export type UpdateWebhookParams = {
  /** The webhook, as the list has it. */
  webhookId: string
  /**
   * An `https` URL with the port 443 or 8443 and a public host name, of at most 500 characters. It
   * is called exactly so; redirects are not followed. `null` or `""` means that the field is
   * absent.
   */
  url?: string | null | undefined
  /** The types of events to send. `null` or `""` means that the field is absent. */
  events?: ('nft.transferred' | 'nft.metadata_changed' | 'events.missed')[] | null | undefined
  /** What the webhook is for, of at most 500 characters. `null` means that the field is absent. */
  description?: string | null | undefined
  /** `active` or `paused`. `null` or `""` means that the field is absent. */
  state?: 'active' | 'paused' | null | undefined
}

/** How the secret of a webhook is rotated. */
export type RotateWebhookSecretParams = {
  /** The webhook, as the list has it. */
  webhookId: string
  /**
   * For how long both secrets sign, in seconds; a day if omitted. `null` or `""` means that the
   * field is absent.
   */
  overlapSeconds?: number | null | undefined
}

/** What {@link PlayerNfts.testWebhook} takes. */
export type TestWebhookParams = {
  /** The webhook, as the list has it. */
  webhookId: string
}

/** Where a webhook goes back to. */
export type ReplayWebhookParams = {
  /** The webhook, as the list has it. */
  webhookId: string
  /**
   * A time of the last 7 days (RFC 3339); 7 days ago if omitted. `null` or `""` means that the
   * field is absent.
   * @format date-time
   */
  since?: string | null | undefined
}

/** What {@link PlayerNfts.deleteWebhook} takes. */
export type DeleteWebhookParams = {
  /** The webhook, as the list has it. */
  webhookId: string
}

/** What {@link PlayerNfts.getRawMetadata} takes. */
export type GetRawMetadataParams = {
  /**
   * The product, in place of the API key, if the product has `clientAccess`. Ignored in a request
   * with an API key. An unknown product, a stopped product and a product without `clientAccess` are
   * all 401 `missing_api_key`.
   * @format uuid
   */
  productId?: string | undefined
  /**
   * Chains to include, repeated (`chains=BSC&chains=POLYGON`) or comma separated
   * (`chains=BSC,POLYGON`). Omitted or empty: every chain on which the product has contracts.
   */
  chains?: string[] | undefined
  /** Maximum number of entries; 1,000 if omitted. */
  limit?: number | undefined
  /** The `nextCursor` of an earlier response, sent with the same `chains`. */
  cursor?: string | undefined
  /**
   * `text`: the entries have `rawMetadataText`, a string, in place of `rawMetadata`. Use it if your
   * JSON parser refuses what JSON permits: half of a surrogate pair (`"\ud83e"`), 200 levels, or a
   * number such as `1E400`. Anybody can make an NFT with such a document, and a page with one is
   * refused whole. Pages are measured in the form that is sent, and a `cursor` is valid for both
   * forms.
   */
  rawMetadata?: 'text' | undefined
  /** The player token, if it is not that of the client. */
  playerToken?: string | undefined
}

/** What {@link PlayerNfts.getStructuredMetadata} takes. */
export type GetStructuredMetadataParams = {
  /**
   * The product, in place of the API key, if the product has `clientAccess`. Ignored in a request
   * with an API key. An unknown product, a stopped product and a product without `clientAccess` are
   * all 401 `missing_api_key`.
   * @format uuid
   */
  productId?: string | undefined
  /**
   * Chains to include, repeated (`chains=BSC&chains=POLYGON`) or comma separated
   * (`chains=BSC,POLYGON`). Omitted or empty: every chain on which the product has contracts.
   */
  chains?: string[] | undefined
  /** Maximum number of entries; 1,000 if omitted. */
  limit?: number | undefined
  /** The `nextCursor` of an earlier response, sent with the same `chains`. */
  cursor?: string | undefined
  /** The player token, if it is not that of the client. */
  playerToken?: string | undefined
}

/** What {@link PlayerNfts.createPlayerToken} takes. */
export type CreatePlayerTokenParams = {
  /**
   * The product whose game gets the player token; other products cannot use it. The service checks
   * the form only, not whether the product exists. Omitted: every game can use the token, unless
   * the deployment requires a product.
   * @format uuid
   */
  productId?: string | undefined
  /** The user JWT, if it is not that of the client. */
  userJwt?: string | undefined
}

/** What {@link PlayerNfts.getPlayerDetails} takes. */
export type GetPlayerDetailsParams = {
  /** The player token, if it is not that of the client. */
  playerToken?: string | undefined
}

/** What a message is asked for. */
export type CreateSignInMessageParams = {
  /** The wallet that will sign. */
  address: string
  /**
   * A chain that the deployment opens. A smart account signs on this chain; for any other wallet,
   * it only names the chain in the message.
   */
  chain: string
  /**
   * The game to sign in to. Absent: the page of the deployment. `null` or `""` means that the field
   * is absent.
   * @format uuid
   */
  productId?: string | null | undefined
  /**
   * The host at which the player signs in: one of the `signInDomains` of the product, required if
   * it has several; without `productId`, that of the page. `null` or `""` means that the field is
   * absent.
   */
  domain?: string | null | undefined
  /**
   * With a session: whether the message adds the wallet to the user. `null` or `""` means that the
   * field is absent.
   */
  link?: boolean | null | undefined
  /**
   * With a session: whether the message moves the wallet from another user, if one has it. `null`
   * or `""` means that the field is absent.
   */
  move?: boolean | null | undefined
  /**
   * With a session: the wallet that is to be added to the user, or moved. `address` is another one
   * then, which the user has already. `null` or `""` means that the field is absent.
   */
  consent?: string | null | undefined
  /**
   * With `consent`: the chain of the message that the other wallet signs. Required if that wallet
   * is a smart account. `null` or `""` means that the field is absent.
   */
  consentChain?: string | null | undefined
  /**
   * With a session: the wallet of the user that the message removes. `null` or `""` means that the
   * field is absent.
   */
  remove?: string | null | undefined
  /**
   * With `remove`: the chain of the wallet, as the list of the user shows it. Absent: the wallet
   * that counts on all chains. `null` or `""` means that the field is absent.
   */
  removeChain?: string | null | undefined
  /** The session, if it is not that of the client. */
  session?: string | undefined
}

/** A signed message, and what it signs in to. */
export type SignInParams = {
  /** A message of createSignInMessage, exactly as it was returned. It counts once. */
  message: string
  /**
   * The signature of the message by the wallet (EIP-191, `personal_sign`): `0x` and the hexadecimal
   * digits of 65 bytes, or of 64 (ERC-2098).
   */
  signature: string
  /**
   * The game, as in the message. Absent: the page. `null` or `""` means that the field is absent.
   * @format uuid
   */
  productId?: string | null | undefined
  /**
   * The name of the user from now on. With `productId`, only of a user who has none yet: a game
   * cannot change a name. `null` or `""` means that the field is absent.
   */
  username?: string | null | undefined
}

/** What {@link PlayerNfts.getSignedInUser} takes. */
export type GetSignedInUserParams = {
  /** The session, if it is not that of the client. */
  session?: string | undefined
}

/** A wallet to add, and the consent of another one. */
export type AddWalletParams = {
  /** A message of createSignInMessage, exactly as it was returned. It counts once. */
  message: string
  /**
   * The signature of the message by the wallet (EIP-191, `personal_sign`): `0x` and the hexadecimal
   * digits of 65 bytes, or of 64 (ERC-2098).
   */
  signature: string
  /** What a wallet has signed that the user has already, and is not the one to add. */
  consent: WalletConsent
  /** The session, if it is not that of the client. */
  session?: string | undefined
}

/** A message that a wallet has signed. */
export type RemoveWalletParams = {
  /** The wallet. */
  address: string
  /**
   * The chain of the wallet, as the list of the user shows it. Absent: the wallet that counts on
   * all chains.
   */
  chain?: string | undefined
  /** A message of createSignInMessage, exactly as it was returned. It counts once. */
  message: string
  /**
   * The signature of the message by the wallet (EIP-191, `personal_sign`): `0x` and the hexadecimal
   * digits of 65 bytes, or of 64 (ERC-2098).
   */
  signature: string
  /** The session, if it is not that of the client. */
  session?: string | undefined
}

/** What {@link PlayerNfts.signOut} takes. */
export type SignOutParams = {
  /** The session, if it is not that of the client. */
  session?: string | undefined
}

/** What {@link PlayerNfts.getGames} takes. */
export type GetGamesParams = {
  /** The session, if it is not that of the client. */
  session?: string | undefined
}

/** What {@link PlayerNfts.endAccess} takes. */
export type EndAccessParams = {
  /** The game. */
  productId: string
  /** The session, if it is not that of the client. */
  session?: string | undefined
}

/** A form. */
export type AuthorizeDeviceParams = {
  /**
   * The `productId` of the game. It can also be the user of `Authorization: Basic`, with an empty
   * password.
   */
  client_id: string
}

/** What {@link PlayerNfts.getDeviceRequest} takes. */
export type GetDeviceRequestParams = {
  /** The code that the device shows. Case, spaces and dashes do not count. */
  userCode: string
  /** The session, if it is not that of the client. */
  session?: string | undefined
}

/** The decision of a user. */
export type DecideDeviceRequestParams = {
  /** The code that the device shows. Case, spaces and dashes do not count. */
  userCode: string
  /** Whether the game gets access. */
  approve: boolean
  /** The session, if it is not that of the client. */
  session?: string | undefined
}

/** A form. */
export type CreateTokenParams = {
  /** `refresh_token`, or `urn:ietf:params:oauth:grant-type:device_code`. */
  grant_type: string
  /**
   * The `productId` of the game. It can also be the user of `Authorization: Basic`, with an empty
   * password, and can be absent with a refresh token.
   */
  client_id?: string | undefined
  /** With `refresh_token`: the latest refresh token. */
  refresh_token?: string | undefined
  /** With the device code grant: the device code. */
  device_code?: string | undefined
}
