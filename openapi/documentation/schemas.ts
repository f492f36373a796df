import * as v from 'valibot'
import {
  allowedNfts,
  confirmation,
  keySet,
  playerDetails,
  playerToken,
  productInformation,
  productKey,
  publicKey,
  rawNfts,
  refreshReport,
  structuredNfts,
} from '../../lib/contract/answers.ts'
import { chain } from '../../lib/contract/fields.ts'
import { type ProblemCode, type ProblemDetails, problems } from '../../lib/contract/problems.ts'
import type { Fields } from '../../lib/contract/route.ts'
import { routes } from '../../lib/contract/routes.ts'

/** A schema that the document names, and what its fields mean. */
export interface SchemaDocumentation {
  schema: v.GenericSchema
  description: string
  fields?: Record<string, string>
}

const object = <S extends Fields>(
  schema: S,
  description: string,
  fields: { [Name in keyof S['entries']]: string },
): SchemaDocumentation => ({ schema, description, fields })

const fieldError = v.object({
  in: v.picklist(['body', 'query', 'header']),
  path: v.string(),
  message: v.string(),
})

/** RFC 9457 problem details, as {@link ProblemDetails} has them (D2). */
export const problemDetails = v.object({
  success: v.literal(false),
  type: v.string(),
  title: v.string(),
  status: v.pipe(v.number(), v.integer()),
  detail: v.string(),
  code: v.picklist(Object.keys(problems) as [ProblemCode, ...ProblemCode[]]),
  requestId: v.string(),
  errors: v.exactOptional(v.array(fieldError)),
}) satisfies v.GenericSchema<ProblemDetails>

/** What API Gateway answers by itself (D3). */
export const gatewayMessage = v.object({ message: v.string() })

const nft = {
  tokenId: 'Token identifier within the contract, as decimal text: it may have 78 digits.',
  address: 'Contract address, in lower case.',
  chain: 'Chain name; more than those of `Chain` may come.',
}
const described = {
  ...nft,
  metadataLink:
    'Where the metadata document lies: the HTTP form of the token URI if there is one, else the URI as the contract gives it, else `""`.',
  metadataError:
    'Why there is no metadata to give: nobody has it, it is not a JSON object, or it is over 1 MiB. Absent when all is well.',
}
const owned = {
  ...described,
  owner: 'The wallet that holds it, in lower case.',
  balance: 'How many of it this wallet holds, as decimal text; `"1"` for ERC-721.',
}
const rawMetadata =
  'The metadata document, byte for byte as its source wrote it: any keys, in their order, every number with all its digits. `{}` if there is a `metadataError`. Common keys are `name`, `description`, `imageUrl`, `maxSupply`, `attributes` (objects of `trait_type`, `name`, `value`, `display_type`), `pack`, and an item object named after the game.'

const product = {
  name: 'Name of the product.',
  description: 'What the product is.',
  contactEmail: 'Contact e-mail address.',
  companyName: 'Name of the company.',
  companyDescription: 'What the company does.',
  website: 'Website: an http or https URL, or text without a scheme such as `www.example.com`.',
  websiteLink: 'Another name of `website`, with the same value.',
}

/** How a contract address may be written (D14). */
export const addressProse =
  '`0x` and 40 hexadecimal digits, all lower case, all upper case, or mixed with a correct EIP-55 checksum.'

const structuredMetadata = structuredNfts.item.entries.formattedMetadata

/** Every schema that has a name in the document, by that name. */
export const schemaDocumentation: Record<string, SchemaDocumentation> = {
  Chain: { schema: chain(), description: 'The name of a chain. `MUMBAI` was shut down in 2024.' },
  ProductRegistration: object(routes.registerProduct.body, 'A product to register.', product),
  ProductKey: object(productKey, 'The key of a new product.', {
    apiKey: 'The product API key for the header `X-Api-Key`. It is shown only here: keep it.',
  }),
  Product: object(productInformation, 'What a product said about itself.', product),
  Allowlisting: object(routes.allowlistNfts.body, 'A contract to connect and NFTs to allowlist.', {
    chain: 'Chain name; `POLYGON` if omitted. A deployment may have other chains open.',
    contractAddress: `Contract address: ${addressProse}`,
    contractDescription: 'What the contract is; replaces an earlier description.',
    tokens: 'Token identifiers: unsigned 256-bit integers, decimal or `0x` hexadecimal.',
  }),
  AllowedNft: object(allowedNfts.item, 'An allowlisted NFT.', nft),
  Confirmation: object(confirmation, 'What was done.', { message: 'A sentence for a person.' }),
  ContractToRefresh: object(routes.refreshMetadata.body, 'A contract to refresh.', {
    smartContract: `Contract address: ${addressProse}`,
    chain: 'Chain name; if omitted, every chain on which the product has the contract.',
  }),
  RefreshReport: object(refreshReport, 'What a refresh has found so far.', {
    smartContract: 'Contract address, in lower case.',
    chains: 'The chains on which it was refreshed.',
    checked: 'How many NFTs were looked at.',
    changed: 'How many of them have other metadata now.',
    failed: 'How many could not be fetched from their source.',
    pending:
      'How many are still to be looked at, in the background; at least so many, if counting takes too long.',
    refreshedAt: 'When the refresh began, in UTC.',
    tokens: 'The NFTs that this request found changed, as they are now.',
    omitted: 'How many changed NFTs are not among `tokens`. Absent if none.',
  }),
  RefreshedNft: object(refreshReport.entries.tokens.item, 'An NFT and its raw metadata.', {
    ...described,
    rawMetadata,
  }),
  RawNft: object(rawNfts.item, 'An NFT of a player, with raw metadata.', {
    ...owned,
    rawMetadata,
  }),
  StructuredNft: object(structuredNfts.item, 'An NFT of a player, with structured metadata.', {
    ...owned,
    formattedMetadata: 'The metadata, in one form for all games.',
  }),
  StructuredMetadata: object(structuredMetadata, 'Metadata in one form for all games.', {
    name: 'Its name, `""` if there is none.',
    description: 'Its description, `""` if there is none.',
    image: 'URL of its image (`https:`, `http:` or `data:`), `null` if there is none.',
    attributes: 'Its attributes, in the order of the source.',
  }),
  Attribute: object(structuredMetadata.entries.attributes.item, 'An attribute of an NFT.', {
    name: 'Its `name` at the source, else its `trait_type`.',
    value: 'Its value as text, numbers as the source wrote them: `2` is `"2"`, `5.0` is `"5.0"`.',
  }),
  PublicKey: object(publicKey, 'The key that signs user JWTs now.', {
    publicKey: 'Base64 of the DER form of its SubjectPublicKeyInfo.',
  }),
  PlayerToken: object(playerToken, 'A player token.', {
    token: 'A JWT that identifies the player inside games for 24 hours.',
  }),
  PlayerDetails: object(playerDetails, 'Who a player is, and what the player has.', {
    userId: 'User id.',
    username: 'User name.',
    amount:
      "Balance of the service's token over all wallets of the player: a plain decimal with all its digits, which may be more than a double holds.",
  }),
  JsonWebKeySet: object(keySet, 'A JWK set (RFC 7517).', { keys: 'Every accepted key.' }),
  JsonWebKey: object(keySet.entries.keys.item, 'A public key as a JWK.', {
    kty: 'Key type, such as `EC`.',
    kid: 'Key id: its RFC 7638 thumbprint. The header of a player token names it.',
    alg: 'The one algorithm it signs with.',
    use: 'Signatures.',
  }),
  Problem: object(problemDetails, 'Problem details (RFC 9457).', {
    success: 'The flag of the envelope.',
    type: 'Where this document describes the problem, relative to the deployment.',
    title: 'What the code means.',
    status: 'The HTTP status.',
    detail: 'What went wrong, in a sentence for a person.',
    code: 'The word that programs switch on. More codes may come, none is ever renamed.',
    requestId: 'Names this request in the log of the service.',
    errors: 'Every bad field (`invalid_request` only).',
  }),
  FieldError: object(fieldError, 'A bad field.', {
    in: 'Where the field is.',
    path: 'Its name; within lists and objects the way to it, joined by dots: `tokens.3`.',
    message: 'What is wrong with it.',
  }),
  GatewayMessage: object(gatewayMessage, 'An answer that API Gateway gives by itself.', {
    message: 'The reason phrase of the status.',
  }),
}
