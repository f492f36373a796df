// `npm run generate` writes this file from the operations.
import { type ApiCall, call } from './call.ts'
import { conversions } from './conversions.ts'
import { type List, list } from './list.ts'
import type { Operation } from './operation.ts'
import type { CallOptions, ClientOptions, ReadOptions } from './options.ts'
import { addressOf } from './request.ts'
import type * as types from './types.ts'

const operations: { readonly [Id in types.OperationId]: Operation } = {
  registerProduct: { id: 'registerProduct', method: 'POST', path: '/api/public/v1/product', credentials: [], effect: 'once' },
  getProduct: { id: 'getProduct', method: 'GET', path: '/api/public/v1/product', credentials: ['apiKey'], effect: 'reads' },
  updateProduct: { id: 'updateProduct', method: 'PATCH', path: '/api/public/v1/product', credentials: ['apiKey'], effect: 'repeatable' },
  deleteProduct: { id: 'deleteProduct', method: 'DELETE', path: '/api/public/v1/product', credentials: ['apiKey'], effect: 'repeatable' },
  createKey: { id: 'createKey', method: 'POST', path: '/api/public/v1/product/keys', credentials: ['apiKey'], effect: 'once' },
  listKeys: { id: 'listKeys', method: 'GET', path: '/api/public/v1/product/keys', credentials: ['apiKey'], effect: 'reads' },
  rotateKey: { id: 'rotateKey', method: 'POST', path: '/api/public/v1/product/keys/{keyId}/rotate', credentials: ['apiKey'], effect: 'once' },
  endKey: { id: 'endKey', method: 'DELETE', path: '/api/public/v1/product/keys/{keyId}', credentials: ['apiKey'], effect: 'repeatable' },
  allowlistNfts: { id: 'allowlistNfts', method: 'POST', path: '/api/public/v1/product/tokens', credentials: ['apiKey'], effect: 'repeatable' },
  getAllowedNfts: { id: 'getAllowedNfts', method: 'GET', path: '/api/public/v1/product/tokens', credentials: ['apiKey'], effect: 'reads' },
  getNfts: { id: 'getNfts', method: 'GET', path: '/api/public/v1/product/nfts', credentials: ['apiKey'], effect: 'reads' },
  getContracts: { id: 'getContracts', method: 'GET', path: '/api/public/v1/product/contracts', credentials: ['apiKey'], effect: 'reads' },
  getEvents: { id: 'getEvents', method: 'GET', path: '/api/public/v1/product/events', credentials: ['apiKey'], effect: 'reads' },
  getUsage: { id: 'getUsage', method: 'GET', path: '/api/public/v1/product/usage', credentials: ['apiKey'], effect: 'reads' },
  getWebhookEvents: { id: 'getWebhookEvents', method: 'GET', path: '/api/public/v1/product/webhook-events', credentials: ['apiKey'], effect: 'reads' },
  unbindContract: { id: 'unbindContract', method: 'DELETE', path: '/api/public/v1/product/contract', credentials: ['apiKey'], effect: 'repeatable' },
  unbindNfts: { id: 'unbindNfts', method: 'DELETE', path: '/api/public/v1/product/tokens', credentials: ['apiKey'], effect: 'repeatable' },
  unbindNftList: { id: 'unbindNftList', method: 'POST', path: '/api/public/v1/product/tokens/unbind', credentials: ['apiKey'], effect: 'repeatable' },
  refreshMetadata: { id: 'refreshMetadata', method: 'POST', path: '/api/public/v1/tokens/refresh', credentials: ['apiKey'], effect: 'repeatable', convert: conversions.RefreshReport },
  createWebhook: { id: 'createWebhook', method: 'POST', path: '/api/public/v1/product/webhooks', credentials: ['apiKey'], effect: 'once' },
  listWebhooks: { id: 'listWebhooks', method: 'GET', path: '/api/public/v1/product/webhooks', credentials: ['apiKey'], effect: 'reads' },
  updateWebhook: { id: 'updateWebhook', method: 'PATCH', path: '/api/public/v1/product/webhooks/{webhookId}', credentials: ['apiKey'], effect: 'repeatable' },
  rotateWebhookSecret: { id: 'rotateWebhookSecret', method: 'POST', path: '/api/public/v1/product/webhooks/{webhookId}/rotate', credentials: ['apiKey'], effect: 'once' },
  testWebhook: { id: 'testWebhook', method: 'POST', path: '/api/public/v1/product/webhooks/{webhookId}/test', credentials: ['apiKey'], effect: 'once', sends: 'nothing' },
  replayWebhook: { id: 'replayWebhook', method: 'POST', path: '/api/public/v1/product/webhooks/{webhookId}/replay', credentials: ['apiKey'], effect: 'once' },
  deleteWebhook: { id: 'deleteWebhook', method: 'DELETE', path: '/api/public/v1/product/webhooks/{webhookId}', credentials: ['apiKey'], effect: 'repeatable' },
  getRawMetadata: { id: 'getRawMetadata', method: 'GET', path: '/api/public/v1/player/tokens/raw', credentials: ['apiKey', 'playerToken'], effect: 'reads', hasAge: true, convert: conversions.RawNft },
  getStructuredMetadata: { id: 'getStructuredMetadata', method: 'GET', path: '/api/public/v1/player/tokens', credentials: ['apiKey', 'playerToken'], effect: 'reads', hasAge: true },
  getPublicKey: { id: 'getPublicKey', method: 'GET', path: '/api/public/v1/public-key', credentials: [], effect: 'reads' },
  createPlayerToken: { id: 'createPlayerToken', method: 'GET', path: '/api/public/v1/player/token', credentials: ['userJwt'], effect: 'repeatable' },
  getPlayerDetails: { id: 'getPlayerDetails', method: 'GET', path: '/api/public/v1/player/details', credentials: ['playerToken'], effect: 'reads', hasAge: true, convert: conversions.PlayerDetails },
  getPlayerBalance: { id: 'getPlayerBalance', method: 'GET', path: '/api/public/v1/player/balance', credentials: ['playerToken'], effect: 'reads', hasAge: true, convert: conversions.PlayerDetails },
  createSignInMessage: { id: 'createSignInMessage', method: 'POST', path: '/api/public/v1/login/message', credentials: ['session'], effect: 'repeatable' },
  signIn: { id: 'signIn', method: 'POST', path: '/api/public/v1/login', credentials: [], effect: 'once' },
  getSignedInUser: { id: 'getSignedInUser', method: 'GET', path: '/api/public/v1/login/user', credentials: ['session'], effect: 'reads' },
  addWallet: { id: 'addWallet', method: 'POST', path: '/api/public/v1/login/user/wallets', credentials: ['session'], effect: 'once' },
  removeWallet: { id: 'removeWallet', method: 'DELETE', path: '/api/public/v1/login/user/wallets/{address}', credentials: ['session'], effect: 'repeatable', sends: 'json', inQuery: ['chain'] },
  signOut: { id: 'signOut', method: 'POST', path: '/api/public/v1/login/sign-out', credentials: ['session'], effect: 'repeatable', sends: 'nothing' },
  getGames: { id: 'getGames', method: 'GET', path: '/api/public/v1/login/user/games', credentials: ['session'], effect: 'reads' },
  endAccess: { id: 'endAccess', method: 'DELETE', path: '/api/public/v1/login/user/games/{productId}', credentials: ['session'], effect: 'repeatable' },
  authorizeDevice: { id: 'authorizeDevice', method: 'POST', path: '/api/public/v1/device/authorization', credentials: [], effect: 'once', bare: true, sends: 'form' },
  getDeviceRequest: { id: 'getDeviceRequest', method: 'GET', path: '/api/public/v1/device/{userCode}', credentials: ['session'], effect: 'reads' },
  decideDeviceRequest: { id: 'decideDeviceRequest', method: 'POST', path: '/api/public/v1/device/{userCode}', credentials: ['session'], effect: 'repeatable' },
  createToken: { id: 'createToken', method: 'POST', path: '/api/public/v1/token', credentials: [], effect: 'repeatable', bare: true, sends: 'form' },
  getAuthorizationServer: { id: 'getAuthorizationServer', method: 'GET', path: '/.well-known/oauth-authorization-server', credentials: [], effect: 'reads', bare: true },
  getKeySet: { id: 'getKeySet', method: 'GET', path: '/.well-known/jwks.json', credentials: [], effect: 'reads', bare: true },
  getOpenapi: { id: 'getOpenapi', method: 'GET', path: '/api/public/v1/openapi.json', credentials: [], effect: 'reads', bare: true },
}

/**
 * A client of the Player NFTs API. Each method is an operation of the API and has its `operationId`. Calls
 * reject with a {@link PlayerNftsError}, or with a TypeError if the parameters cannot be sent.
 */
export class PlayerNfts {
  readonly #options: ClientOptions

  /** Where the service is, without a slash at the end. */
  readonly baseUrl: string

  /** @throws {TypeError} if `baseUrl` is no http or https address, or has more than a host and a path. */
  constructor(options: ClientOptions) {
    this.baseUrl = addressOf(options.baseUrl)
    this.#options = { ...options, baseUrl: this.baseUrl }
  }

  /** Returns a client with some other options, such as another player token. */
  withOptions(options: Partial<ClientOptions>): PlayerNfts {
    return new PlayerNfts({ ...this.#options, ...options })
  }

  /**
   * Registers a product and returns its API key, which is shown only once. Only a digest of the key
   * is kept, so a lost key cannot be shown again. Names are not unique: repeating a registration
   * creates another product.
   */
  registerProduct(params: types.RegisterProductParams, options?: CallOptions): ApiCall<types.ProductKey> {
    return call(this.#options, operations.registerProduct, params, options)
  }

  /**
   * Returns the registration, the `productId` and the limits of the product. Absent optional fields
   * are omitted; the website is returned under both of its names.
   */
  getProduct(options?: CallOptions): ApiCall<types.Product> {
    return call(this.#options, operations.getProduct, {}, options)
  }

  /**
   * Changes the given fields of the product in one step, within the bounds of registration, and
   * returns the product. A field that is not sent stays as it is. `null` removes `description`,
   * `companyDescription` or the website.
   */
  updateProduct(params: types.UpdateProductParams, options?: CallOptions): ApiCall<types.Product> {
    return call(this.#options, operations.updateProduct, params, options)
  }

  /**
   * Ends the product for good. With the very next request, everywhere, all of its API keys are
   * refused with 401 `invalid_api_key`, and so is a repeat of this call: a 401 after a lost
   * response means that the product has ended. A game that names the product without a key gets 401
   * `missing_api_key`. Everything that is stored of the product is deleted in the background: its
   * keys, contracts, allowlists, events and its registration. Nobody can restore it. A registration
   * with the same name afterwards is a new product.
   */
  deleteProduct(params: types.DeleteProductParams, options?: CallOptions): ApiCall<types.Confirmation> {
    return call(this.#options, operations.deleteProduct, params, options)
  }

  /**
   * Adds an API key to the product and returns it, once: only a digest of the key is kept. A key
   * with the scope `READ` permits only reading the NFTs of players. A product can have 50 keys that
   * work. After a lost response, look for the label in the list of keys, end that key and create
   * another.
   */
  createKey(params: types.CreateKeyParams, options?: CallOptions): ApiCall<types.NewKey> {
    return call(this.#options, operations.createKey, params, options)
  }

  /**
   * Lists the API keys of the product, without the keys themselves: first those that work, by their
   * creation, then those that ended in the last 90 days, the latest first.
   */
  listKeys(options?: CallOptions): ApiCall<types.ListedKey[]> {
    return call(this.#options, operations.listKeys, {}, options)
  }

  /**
   * Returns a new key with the same label and scope, once. The old key works for `overlapSeconds`
   * more, or until its own end if that is earlier. With `overlapSeconds` 0 the old key ends with
   * the next request: if the response is lost, the new key is lost too, so create a key and end the
   * old one instead if the product has no other key. A repeated rotation makes a further key. The
   * body can be empty.
   */
  rotateKey(params: types.RotateKeyParams, options?: CallOptions): ApiCall<types.NewKey> {
    return call(this.#options, operations.rotateKey, params, options)
  }

  /**
   * Ends an API key with the very next request, everywhere. It can be the key of the request. The
   * last key with the scope `MANAGE` and without an end cannot be ended.
   */
  endKey(params: types.EndKeyParams, options?: CallOptions): ApiCall<types.ListedKey> {
    return call(this.#options, operations.endKey, params, options)
  }

  /**
   * Connects a contract to the product and adds to its allowlist: 1 to 10,000 elements of `tokens`.
   * From then on the NFTs appear in the metadata of players who hold them.
   */
  allowlistNfts(params: types.AllowlistNftsParams, options?: CallOptions): ApiCall<types.AllowedNft[]> {
    return call(this.#options, operations.allowlistNfts, params, options)
  }

  /**
   * Lists the allowlisted NFTs of the product, over all contracts and chains, in a fixed order:
   * chain by name, address, then token identifier as a number.
   */
  getAllowedNfts(params: types.GetAllowedNftsParams = {}, options?: CallOptions): List<types.AllowedNft> {
    return list(this.#options, operations.getAllowedNfts, params, options)
  }

  /**
   * Lists the allowlisted NFTs of the product with their structured metadata, in the order of the
   * allowlist: chain by name, address, then token identifier as a number. Of a range and of `*`,
   * the NFTs that exist are listed. A single token identifier is listed also if its NFT does not
   * exist, with `metadataError`.
   */
  getNfts(params: types.GetNftsParams = {}, options?: CallOptions): List<types.DescribedNft> {
    return list(this.#options, operations.getNfts, params, options)
  }

  /**
   * Lists the contracts that are connected to the product, each with its description, in a fixed
   * order: chain by name, then address. One response has at most 100 contracts, or `limit`; if
   * there are more, `nextCursor` leads to the next page. A contract stays on the list until it is
   * unbound, even without NFTs.
   */
  getContracts(params: types.GetContractsParams = {}, options?: CallOptions): List<types.ConnectedContract> {
    return list(this.#options, operations.getContracts, params, options)
  }

  /**
   * Lists the changes of the product, newest first: who changed what, when, and how it ended. One
   * response has 100 events, or `limit`; if there are more, `nextCursor` leads to the next page.
   * Events are kept for 400 days. A request that is refused before it changes anything leaves no
   * event.
   */
  getEvents(params: types.GetEventsParams = {}, options?: CallOptions): List<types.ProductEvent> {
    return list(this.#options, operations.getEvents, params, options)
  }

  /**
   * Lists the usage of the product by day in UTC, today first: calls by operation and outcome,
   * calls to the indexer, distinct players, and calls that a limit refused. Days without usage are
   * listed with zeros. The usage can lag: a function counts in memory and writes its counts with a
   * later call, and counts that it does not write before it ends are lost. It is therefore no basis
   * for a bill. The usage of a day is kept for 91 days.
   */
  getUsage(params: types.GetUsageParams = {}, options?: CallOptions): ApiCall<types.DailyUsage[]> {
    return call(this.#options, operations.getUsage, params, options)
  }

  /**
   * Returns what has happened to the allowlisted NFTs of the product on followed chains: transfers,
   * mints and burns, new metadata, and what could not be watched. An event comes about 75 seconds
   * after its block, once it is not taken back any more. Events are in the order of each chain, and
   * are kept for 7 days. Ask again with the `cursor` of the response: at once if `hasMore`, and
   * otherwise after some seconds. The first call, and each call after a day without one, begins to
   * watch the contracts of the product. An event is a reason to read the player again, not a state.
   * No event says which player has a wallet: compare `from` and `to` with the `owner` of your
   * records.
   */
  getWebhookEvents(params: types.GetWebhookEventsParams = {}, options?: CallOptions): ApiCall<types.WebhookEvents> {
    return call(this.#options, operations.getWebhookEvents, params, options)
  }

  /**
   * Removes a contract and all of its allowlisted NFTs, however many. The removal takes effect with
   * the next request. If the contract is connected again later, its list is empty: old entries
   * never come back.
   */
  unbindContract(params: types.UnbindContractParams, options?: CallOptions): ApiCall<types.Confirmation> {
    return call(this.#options, operations.unbindContract, params, options)
  }

  /**
   * Removes the given NFTs and leaves the contract connected. NFTs that are not on the list are
   * ignored; `removed` gives the number of removed single NFTs, and `message` also names the
   * ranges.
   */
  unbindNfts(params: types.UnbindNftsParams, options?: CallOptions): ApiCall<types.UnboundNfts> {
    return call(this.#options, operations.unbindNfts, params, options)
  }

  /**
   * Removes up to 10,000 elements of `tokens` and leaves the contract connected, as `DELETE
   * /api/public/v1/product/tokens` does without the limit of a URL. NFTs that are not on the list
   * are ignored; `removed` gives the number of removed single NFTs, and `message` also names the
   * ranges. Repeating a request is safe: after a failure, it removes the rest.
   */
  unbindNftList(params: types.UnbindNftListParams, options?: CallOptions): ApiCall<types.UnboundNfts> {
    return call(this.#options, operations.unbindNftList, params, options)
  }

  /**
   * Fetches the metadata of every allowlisted NFT of a contract from its source again, compares it
   * with the known metadata, and returns the changes. Of a range, it covers the NFTs that exist:
   * those that the indexer lists for the contract.
   */
  refreshMetadata(params: types.RefreshMetadataParams, options?: CallOptions): ApiCall<types.RefreshReport> {
    return call(this.#options, operations.refreshMetadata, params, options)
  }

  /**
   * Registers a URL to which the events of the product are to be sent, and returns the secret with
   * which its server verifies the messages, once. A product can have 5 webhooks. Nothing is sent
   * yet: the server must answer a test first.
   */
  createWebhook(params: types.CreateWebhookParams, options?: CallOptions): ApiCall<types.WebhookWithSecret> {
    return call(this.#options, operations.createWebhook, params, options)
  }

  /**
   * Lists the webhooks of the product, by their creation, and says which of its contracts have no
   * events.
   */
  listWebhooks(options?: CallOptions): ApiCall<types.Webhooks> {
    return call(this.#options, operations.listWebhooks, {}, options)
  }

  /**
   * Changes the given fields. With another URL, the webhook is unverified again. `"state":
   * "paused"` stops the deliveries; `"active"` goes on where they stopped, at once, also after
   * failures. Events are kept for 7 days, and those of a product whose webhooks are all paused are
   * logged for a day more.
   */
  updateWebhook(params: types.UpdateWebhookParams, options?: CallOptions): ApiCall<types.Webhook> {
    return call(this.#options, operations.updateWebhook, params, options)
  }

  /**
   * Returns a new secret, once. For `overlapSeconds`, messages are signed with the old secret and
   * the new one, so that a server with either of them verifies them. After a second rotation within
   * that time, the first of the three secrets ends. The body can be empty.
   */
  rotateWebhookSecret(params: types.RotateWebhookSecretParams, options?: CallOptions): ApiCall<types.WebhookWithSecret> {
    return call(this.#options, operations.rotateWebhookSecret, params, options)
  }

  /**
   * Sends the message `webhook.test` to the webhook now, and waits for the answer of its server.
   * Its `data.challenge` is new each time. Only an answer of 2xx with exactly this text as its body
   * delivers the test; it verifies the URL, and an unverified webhook becomes active: it gets what
   * happens from then on. A product has 10 tests an hour by default. After a 503, the test may
   * still be sent, and verify the URL.
   */
  testWebhook(params: types.TestWebhookParams, options?: CallOptions): ApiCall<types.WebhookTest> {
    return call(this.#options, operations.testWebhook, params, options)
  }

  /**
   * Sends what has happened since a time of the last 7 days again, in its order and with the same
   * ids, and goes on with what is new. A paused webhook goes on too, and an unverified one begins
   * there once its server has answered a test. The body can be empty.
   */
  replayWebhook(params: types.ReplayWebhookParams, options?: CallOptions): ApiCall<types.Webhook> {
    return call(this.#options, operations.replayWebhook, params, options)
  }

  /**
   * Deletes a webhook. Attempts that are under way end, and a second later no further one begins.
   */
  deleteWebhook(params: types.DeleteWebhookParams, options?: CallOptions): ApiCall<types.Confirmation> {
    return call(this.#options, operations.deleteWebhook, params, options)
  }

  /**
   * Returns, with unmodified metadata, the NFTs that are in one of the player's wallets and
   * allowlisted to the product: one entry for each wallet and NFT. The list is empty for a player
   * without wallets, a product without contracts and a filter that matches nothing.
   */
  getRawMetadata(params: types.GetRawMetadataParams = {}, options?: ReadOptions): List<types.RawNft> {
    return list(this.#options, operations.getRawMetadata, params, options)
  }

  /**
   * Returns, with metadata in one form for all games, the NFTs that are in one of the player's
   * wallets and allowlisted to the product: one entry for each wallet and NFT. The list is empty
   * for a player without wallets, a product without contracts and a filter that matches nothing.
   */
  getStructuredMetadata(params: types.GetStructuredMetadataParams = {}, options?: ReadOptions): List<types.StructuredNft> {
    return list(this.#options, operations.getStructuredMetadata, params, options)
  }

  /**
   * Returns the public key of the key that currently signs user JWTs; of several logins, that of
   * the first. It has no key of player tokens, and is 503 while the key of the login cannot be
   * read: verify player tokens by the key set, which has every accepted key and the algorithm of
   * each key.
   */
  getPublicKey(options?: CallOptions): ApiCall<types.PublicKey> {
    return call(this.#options, operations.getPublicKey, {}, options)
  }

  /**
   * Creates a player token for the signed-in user. The token is valid for 24 hours. The platform
   * passes it to the game, which sends it with every request about the player. A new token does not
   * invalidate older tokens.
   */
  createPlayerToken(params: types.CreatePlayerTokenParams = {}, options?: CallOptions): ApiCall<types.PlayerToken> {
    return call(this.#options, operations.createPlayerToken, params, options)
  }

  /**
   * Exchanges a player token for the player's user id, user name and balance of the service's
   * token: the exact sum over all wallets. No other credentials are needed.
   */
  getPlayerDetails(params: types.GetPlayerDetailsParams = {}, options?: ReadOptions): ApiCall<types.PlayerDetails> {
    return call(this.#options, operations.getPlayerDetails, params, options)
  }

  /** The same as {@link PlayerNfts.getPlayerDetails}. */
  getPlayerBalance(params: types.GetPlayerDetailsParams = {}, options?: ReadOptions): ApiCall<types.PlayerDetails> {
    return call(this.#options, operations.getPlayerBalance, params, options)
  }

  /**
   * Writes the message (ERC-4361) that a wallet signs, for one purpose: to sign in to the game of
   * `productId`, or without it to sign in on the page of the deployment; with a session, to add a
   * wallet (`link`), to move it from another user (`move`), to consent to another wallet that is
   * added or moved (`consent`), or to remove one (`remove`). Stores nothing. The message can be
   * used for 5 minutes, once.
   */
  createSignInMessage(params: types.CreateSignInMessageParams, options?: CallOptions): ApiCall<types.SignInMessage> {
    return call(this.#options, operations.createSignInMessage, params, options)
  }

  /**
   * Signs a player in with a message that a wallet has signed. With `productId`, the answer has a
   * refresh token for this game, from which Create token makes player tokens for 30 days. Without
   * it, the answer has a session for the page of the deployment, for an hour. The first sign-in of
   * a wallet begins a new user.
   */
  signIn(params: types.SignInParams, options?: CallOptions): ApiCall<types.SignedIn> {
    return call(this.#options, operations.signIn, params, options)
  }

  /** Returns the user of the session, with the wallets of the user. */
  getSignedInUser(params: types.GetSignedInUserParams = {}, options?: CallOptions): ApiCall<types.SignedInUser> {
    return call(this.#options, operations.getSignedInUser, params, options)
  }

  /**
   * Adds the wallet that has signed the message to the user of the session, if another wallet,
   * which the user has already, has signed the consent. The message was asked for with `link`, or
   * with `move`: then the wallet leaves the user who has it, and a user who has no other wallet
   * ends as forgotten. The consent was asked for with `consent`. Repeat it with new messages. After
   * `wallet_of_another_user`, the same consent can be sent with a message that was asked for with
   * `move`.
   */
  addWallet(params: types.AddWalletParams, options?: CallOptions): ApiCall<types.SignedInUser> {
    return call(this.#options, operations.addWallet, params, options)
  }

  /**
   * Removes a wallet of the user of the session, with a message that was asked for with `remove`
   * and signed by this wallet, or by one that the user has had for longer. What the wallet has
   * begun ends: its sessions, and the access of games. Send the proof in the body.
   */
  removeWallet(params: types.RemoveWalletParams, options?: CallOptions): ApiCall<types.SignedInUser> {
    return call(this.#options, operations.removeWallet, params, options)
  }

  /**
   * Ends all sessions and refresh tokens of the user. Player tokens that were issued before are
   * refused here from the next request on. A game server that verifies player tokens itself accepts
   * them until they expire.
   */
  signOut(params: types.SignOutParams = {}, options?: CallOptions): ApiCall<types.Confirmation> {
    return call(this.#options, operations.signOut, params, options)
  }

  /**
   * Returns the games that can get player tokens of the user, and until when they can without a new
   * signature.
   */
  getGames(params: types.GetGamesParams = {}, options?: CallOptions): ApiCall<types.GameWithAccess[]> {
    return call(this.#options, operations.getGames, params, options)
  }

  /**
   * Ends the access of one game: it gets no more player tokens of the user. Its last player token
   * is valid until it expires. A game without access has none afterwards too.
   */
  endAccess(params: types.EndAccessParams, options?: CallOptions): ApiCall<types.Confirmation> {
    return call(this.#options, operations.endAccess, params, options)
  }

  /**
   * Begins a sign-in on a device (RFC 8628): the game shows the player `verification_uri` and
   * `user_code`, or a QR code of `verification_uri_complete`, and polls Create token until the
   * player has decided on the page. A game on a web page asks at one of the `signInDomains` of its
   * product; otherwise its player confirms the code as from another network.
   */
  authorizeDevice(params: types.AuthorizeDeviceParams, options?: CallOptions): ApiCall<types.DeviceCodes> {
    return call(this.#options, operations.authorizeDevice, params, options)
  }

  /** Returns the game that asks with a user code. A code that is wrong counts as a guess. */
  getDeviceRequest(params: types.GetDeviceRequestParams, options?: CallOptions): ApiCall<types.DeviceRequest> {
    return call(this.#options, operations.getDeviceRequest, params, options)
  }

  /**
   * Approves or denies the game that asks with a user code, once. An approved game gets player
   * tokens of the user of the session, for 30 days after the signature of the session.
   */
  decideDeviceRequest(params: types.DecideDeviceRequestParams, options?: CallOptions): ApiCall<types.DeviceRequest> {
    return call(this.#options, operations.decideDeviceRequest, params, options)
  }

  /**
   * The token endpoint of OAuth 2.0 (RFC 6749): replaces a refresh token, or the device code of a
   * player who has approved, by a player token and the next refresh token. Each refresh token is
   * used once: keep that of the latest answer. A refresh token that was replaced for longer than a
   * minute ends the access of the game.
   */
  createToken(params: types.CreateTokenParams, options?: CallOptions): ApiCall<types.Tokens> {
    return call(this.#options, operations.createToken, params, options)
  }

  /**
   * Where clients of OAuth 2.0 find the endpoints (RFC 8414). `issuer` is the origin of the page,
   * and not that of player tokens.
   */
  getAuthorizationServer(options?: CallOptions): ApiCall<types.AuthorizationServer> {
    return call(this.#options, operations.getAuthorizationServer, {}, options)
  }

  /**
   * Returns every accepted key, of player tokens and of user JWTs, as a JWK set (RFC 7517) that any
   * JOSE library can use. A new key is published before it signs anything. The keys of a login are
   * left out while they cannot be read, and caches may keep the answer for 10 seconds then; those
   * of player tokens do not depend on a login. To verify player tokens, check `typ` and `aud`:
   * otherwise a user JWT could be accepted as a player token.
   */
  getKeySet(options?: CallOptions): ApiCall<types.JsonWebKeySet> {
    return call(this.#options, operations.getKeySet, {}, options)
  }

  /** Returns this document. The `type` of a problem points into it. */
  getOpenapi(options?: CallOptions): ApiCall<Record<string, unknown>> {
    return call(this.#options, operations.getOpenapi, {}, options)
  }
}
