import type { WithMetadataText } from './raw-metadata.ts'
import type { components, operations } from './schema.ts'
import type { TokenElement } from './token-elements.ts'

type Schemas = components['schemas']

/** Optional fields also take `undefined`, and lists of NFTs take bigints. */
type Input<T> = {
  [K in keyof T]: K extends 'tokens'
    ? readonly TokenElement[]
    : object extends Pick<T, K>
      ? T[K] | undefined
      : T[K]
}
type Query<Id extends keyof operations> = Input<NonNullable<operations[Id]['parameters']['query']>>

/** The player of a call, if it is not that of the client. */
export interface OfPlayer {
  playerToken?: string | undefined
}

export type Product = Schemas['Product']
export type ProductKey = Schemas['ProductKey']
export type ListedKey = Schemas['ListedKey']
export type NewKey = Schemas['NewKey']
export type AllowedNft = Schemas['AllowedNft']
export type DescribedNft = Schemas['DescribedNft']
export type ConnectedContract = Schemas['ConnectedContract']
export type ProductEvent = Schemas['ProductEvent']
export type DailyUsage = Schemas['DailyUsage']
export type Confirmation = Schemas['Confirmation']
export type UnboundNfts = Schemas['UnboundNfts']
export type FailedNft = Schemas['FailedNft']
export type RefreshedNft = Schemas['RefreshedNft'] & WithMetadataText
export type RefreshReport = Omit<Schemas['RefreshReport'], 'tokens'> & { tokens: RefreshedNft[] }
export type RawNft = Schemas['RawNft'] & WithMetadataText
export type StructuredNft = Schemas['StructuredNft']
export type StructuredMetadata = Schemas['StructuredMetadata']
export type PublicKey = Schemas['PublicKey']
export type PlayerToken = Schemas['PlayerToken']
/** Who a player is. The amount is `amountText`: a number would lose digits. */
export type PlayerDetails = Omit<Schemas['PlayerDetails'], 'amount'>
export type JsonWebKeySet = Schemas['JsonWebKeySet']
export type OpenApiDocument = Record<string, unknown>

export type RegisterProductParams = Input<Schemas['ProductRegistration']>
export type UpdateProductParams = Input<Schemas['ProductChanges']>
export type DeleteProductParams = Query<'deleteProduct'>
export type CreateKeyParams = Input<Schemas['KeyCreation']>
export type RotateKeyParams = Input<Schemas['KeyRotation']> & EndKeyParams
/** The key that a call is about. */
export interface EndKeyParams {
  keyId: string
}
export type AllowlistNftsParams = Input<Schemas['Allowlisting']>
export type GetAllowedNftsParams = Query<'getAllowedNfts'>
export type GetNftsParams = Query<'getNfts'>
export type GetContractsParams = Query<'getContracts'>
export type GetEventsParams = Query<'getEvents'>
export type GetUsageParams = Query<'getUsage'>
export type UnbindContractParams = Query<'unbindContract'>
export type UnbindNftsParams = Query<'unbindNfts'>
export type UnbindNftListParams = Input<Schemas['NftListToUnbind']>
export type RefreshMetadataParams = Input<Schemas['ContractToRefresh']>
export type PlayerNftsParams = Omit<Query<'getStructuredMetadata'>, 'chainDtos'> & OfPlayer
export type CreatePlayerTokenParams = Query<'createPlayerToken'> & { userJwt?: string | undefined }
