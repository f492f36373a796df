import { allowedNfts } from '../../lib/contract/answers.ts'
import { describedObject } from './schema-documentation.ts'

export const nftFields = {
  tokenId: 'Token identifier within the contract, as decimal text: it may have 78 digits.',
  address: 'Contract address, in lower case.',
  chain: 'Chain name; more than those of `Chain` may come.',
}
export const describedNftFields = {
  ...nftFields,
  metadataLink:
    'Where the metadata document lies: the HTTP form of the token URI if there is one, else the URI as the contract gives it, else `""`.',
  metadataError:
    'Why there is no metadata to give: nobody has it, it is not a JSON object, or it is over 1 MiB. Absent when all is well.',
}
export const ownedNftFields = {
  ...describedNftFields,
  owner: 'The wallet that holds it, in lower case.',
  balance: 'How many of it this wallet holds, as decimal text; `"1"` for ERC-721.',
}
export const rawMetadataField =
  'The metadata document, byte for byte as its source wrote it: any keys, in their order, every number with all its digits. `{}` if there is a `metadataError`. Common keys are `name`, `description`, `imageUrl`, `maxSupply`, `attributes` (objects of `trait_type`, `name`, `value`, `display_type`), `pack`, and an item object named after the game.'

export const allowedNft = describedObject(allowedNfts.item, 'An allowlisted NFT.', nftFields)
