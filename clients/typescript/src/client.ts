import type { Answer } from './answer.ts'
import { type ApiCall, apiCall } from './call.ts'
import { type List, list, type Page } from './list.ts'
import type { OperationId } from './operations.ts'
import type { CallOptions, ClientOptions, ReadOptions } from './options.ts'
import { addMetadataTexts } from './raw-metadata.ts'
import { addressOf, type Params } from './request.ts'
import { send } from './send.ts'
import type * as types from './types.ts'

/** How a method changes the data of the service into its own. */
type Conversion<Raw, T> = (data: Raw, answer: Answer<unknown>) => T

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

  /** 4.1: registers a product. The response is the only one with its first API key. */
  registerProduct(params: types.RegisterProductParams, options?: CallOptions) {
    return this.#call<types.ProductKey>('registerProduct', params, options)
  }

  /** 4.2: reads the registration of the product. */
  getProduct(options?: CallOptions) {
    return this.#call<types.Product>('getProduct', {}, options)
  }

  /** Changes fields of the product. `null` removes an optional field. */
  updateProduct(params: types.UpdateProductParams, options?: CallOptions) {
    return this.#call<types.Product>('updateProduct', params, options)
  }

  /** Ends the product for good. `confirm` must be its exact name. */
  deleteProduct(params: types.DeleteProductParams, options?: CallOptions) {
    return this.#call<types.Confirmation>('deleteProduct', params, options)
  }

  /** Creates an API key. The response is the only one with the key itself. */
  createKey(params: types.CreateKeyParams, options?: CallOptions) {
    return this.#call<types.NewKey>('createKey', params, options)
  }

  /** Lists the API keys that work, and those that ended in the last 90 days. */
  listKeys(options?: CallOptions) {
    return this.#call<types.ListedKey[]>('listKeys', {}, options)
  }

  /** Replaces an API key. Both keys work for `overlapSeconds`, a day if omitted. */
  rotateKey(params: types.RotateKeyParams, options?: CallOptions) {
    return this.#call<types.NewKey>('rotateKey', params, options)
  }

  /** Ends an API key with the next request. */
  endKey(params: types.EndKeyParams, options?: CallOptions) {
    return this.#call<types.ListedKey>('endKey', params, options)
  }

  /** 4.3: adds up to 10,000 elements to the allowlist of a contract. */
  allowlistNfts(params: types.AllowlistNftsParams, options?: CallOptions) {
    return this.#call<types.AllowedNft[]>('allowlistNfts', params, options)
  }

  /** 4.4: lists the allowlists of all contracts, up to 10,000 entries a page. */
  getAllowedNfts(params: types.GetAllowedNftsParams = {}, options?: CallOptions) {
    return this.#list<types.AllowedNft>('getAllowedNfts', params, options)
  }

  /** Lists the NFTs on the allowlists with their metadata, up to 100 a page. A page can be short or empty. */
  getNfts(params: types.GetNftsParams = {}, options?: CallOptions) {
    return this.#list<types.DescribedNft>('getNfts', params, options)
  }

  /** Lists the contracts that are connected to the product. */
  getContracts(params: types.GetContractsParams = {}, options?: CallOptions) {
    return this.#list<types.ConnectedContract>('getContracts', params, options)
  }

  /** Lists the changes of the product, newest first. */
  getEvents(params: types.GetEventsParams = {}, options?: CallOptions) {
    return this.#list<types.ProductEvent>('getEvents', params, options)
  }

  /** Reads the usage of the product by day in UTC, today first. */
  getUsage(params: types.GetUsageParams = {}, options?: CallOptions) {
    return this.#call<types.DailyUsage[]>('getUsage', params, options)
  }

  /** 4.5: disconnects a contract and removes its allowlist. */
  unbindContract(params: types.UnbindContractParams, options?: CallOptions) {
    return this.#call<types.Confirmation>('unbindContract', params, options)
  }

  /** 4.6: removes up to 1,000 elements in a URL. `unbindNftList` takes 10,000. */
  unbindNfts(params: types.UnbindNftsParams, options?: CallOptions) {
    return this.#call<types.UnboundNfts>('unbindNfts', params, options)
  }

  /** Removes up to 10,000 elements from the allowlist of a contract. */
  unbindNftList(params: types.UnbindNftListParams, options?: CallOptions) {
    return this.#call<types.UnboundNfts>('unbindNftList', params, options)
  }

  /** 4.7: fetches the metadata of a contract's NFTs again. */
  refreshMetadata(params: types.RefreshMetadataParams, options?: CallOptions) {
    const convert = (report: types.RefreshReport, answer: Answer<unknown>) => ({
      ...report,
      tokens: addMetadataTexts(report.tokens, answer),
    })
    return this.#call<types.RefreshReport>('refreshMetadata', params, options, convert)
  }

  /** 4.8: lists the allowlisted NFTs of a player with metadata as in its source. */
  getRawMetadata(params: types.PlayerNftsParams = {}, options?: ReadOptions) {
    return this.#list<types.RawNft>('getRawMetadata', params, options, addMetadataTexts)
  }

  /** 4.9: lists the allowlisted NFTs of a player with metadata in one form for all games. */
  getStructuredMetadata(params: types.PlayerNftsParams = {}, options?: ReadOptions) {
    return this.#list<types.StructuredNft>('getStructuredMetadata', params, options)
  }

  /** 4.10: reads the public key that verifies user JWTs. */
  getPublicKey(options?: CallOptions) {
    return this.#call<types.PublicKey>('getPublicKey', {}, options)
  }

  /** 4.11: creates a player token for the user of a user JWT, on the platform's side. */
  createPlayerToken(params: types.CreatePlayerTokenParams = {}, options?: CallOptions) {
    return this.#call<types.PlayerToken>('createPlayerToken', params, options)
  }

  /** 4.12: reads who the player is, and the exact balance as `amountText`. */
  getPlayerDetails(params: types.OfPlayer = {}, options?: ReadOptions) {
    return this.#call<types.PlayerDetails>('getPlayerDetails', params, options, withoutAmount)
  }

  /** 4.12: the same as `getPlayerDetails`. */
  getPlayerBalance(params: types.OfPlayer = {}, options?: ReadOptions) {
    return this.#call<types.PlayerDetails>('getPlayerBalance', params, options, withoutAmount)
  }

  /** Reads the keys that verify player tokens and user JWTs, as a JSON Web Key Set. */
  getKeySet(options?: CallOptions) {
    return this.#call<types.JsonWebKeySet>('getKeySet', {}, options)
  }

  /** Reads the OpenAPI document of the deployment. */
  getOpenapi(options?: CallOptions) {
    return this.#call<types.OpenApiDocument>('getOpenapi', {}, options)
  }

  #call<T>(
    id: OperationId,
    params: object,
    options: CallOptions | undefined,
    convert?: Conversion<T, T>,
  ): ApiCall<T> {
    return apiCall(this.#send(id, params, options, convert))
  }

  #list<T extends object>(
    id: OperationId,
    params: { cursor?: string | undefined },
    options: CallOptions | undefined,
    convert?: Conversion<T[], T[]>,
  ): List<T> {
    const read = (cursor: string | undefined): Promise<Page<T>> =>
      this.#send(id, { ...params, cursor }, options, convert)
    return list(id, params.cursor, read)
  }

  async #send<T>(
    id: OperationId,
    params: object,
    options: CallOptions | undefined,
    convert: Conversion<T, T> = (data) => data,
  ): Promise<Answer<T>> {
    const answer = await send(id, params as Params, this.#options, options)
    return { ...answer, data: convert(answer.data as T, answer) }
  }
}

/** `amount` is a number of the response, and has lost digits once it is parsed. `amountText` has them all. */
function withoutAmount(details: types.PlayerDetails): types.PlayerDetails {
  const { amount: _, ...rest } = details as types.PlayerDetails & { amount: number }
  return rest
}
