import { allowedNfts } from '../answers.ts'
import { describedObject, example } from '../documentation.ts'

export const nftFields = {
  tokenId: 'Token identifier within the contract, as decimal text of up to 78 digits.',
  address: 'Contract address, in lower case.',
  chain: 'Chain name. Chains can be added to those of `Chain`.',
}
export const describedNftFields = {
  ...nftFields,
  metadataLink:
    'Location of the metadata document: the HTTP form of the token URI if it exists, else the URI of the contract, else `""`. In a URI of up to 2,048 characters, the token identifier replaces the `{id}` of ERC-1155. It is whatever the contract says, with any scheme: do not open it without a check.',
  metadataError:
    'Why the metadata is missing: it is not available, it is not a JSON object, or it is over 1 MiB. Absent if the metadata is present.',
}
export const ownedNftFields = {
  ...describedNftFields,
  metadataError:
    'Why the metadata is missing: it is not available, it is not a JSON object, it is over 1 MiB, or the service does not have it yet while the indexer is down. Absent if the metadata is present.',
  owner: 'The wallet that holds the NFT, in lower case.',
  balance: 'The amount that this wallet holds, as decimal text; `"1"` for ERC-721.',
}
export const structuredFields = {
  formattedMetadata: 'The metadata, in one form for all games.',
  attributesLeftOut:
    'How many entries of its attributes are not in `formattedMetadata`, because their form is not known, or because they have no name or no value. Raw metadata has them. Absent if it is 0.',
}
export const rawMetadataField =
  'The metadata document as the indexer sends it, byte for byte: any keys in their order, every number with all its digits. `{}` if there is a `metadataError`. Common keys are `name`, `description`, `imageUrl`, `maxSupply`, `attributes` (objects of `trait_type`, `name`, `value`, `display_type`), `pack`, and an item object named after the game. Its texts and URLs are whatever the contract says: show texts as text, never as HTML.'

export const allowedNft = describedObject(
  allowedNfts.item,
  'An entry of the allowlist: an NFT, a range of NFTs, or the whole collection.',
  {
    ...nftFields,
    tokenId:
      'Token identifier within the contract, as decimal text of up to 78 digits; or a range `a..b` of two of them, with both ends included; or `*`, which is every token identifier.',
  },
)

/** The accepted forms of a contract address (D14). */
export const addressForm =
  '`0x` and 40 hexadecimal digits, all lower case, all upper case, or mixed with a correct EIP-55 checksum.'

/** The query parameter of 4.5 and 4.6. */
export const contractAddressParameter = {
  description: `Address of the contract: ${addressForm}`,
  example: example.contracts.gear,
}

/** The accepted forms of token identifiers (D15). */
const tokenIdForm =
  'unsigned 256-bit integers, as decimal or `0x` hexadecimal text; leading zeros and duplicates are accepted'

/** The accepted forms of the elements of a list of tokens (D57). */
export const tokenElementForm = `token identifiers, ranges \`a..b\` with both ends included, or \`*\`, which is every token identifier. Token identifiers are ${tokenIdForm}`
