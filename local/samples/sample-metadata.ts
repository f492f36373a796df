import { createHash } from 'node:crypto'
import { VerbatimJson, writeJson } from '../../lib/json/verbatim-json.ts'
import type { SourceAnswer } from '../indexer/world.ts'

/**
 * The metadata of the sample collections. They belong to an invented game about Brindlewake, an archipelago
 * that the tide covers for an hour of every day, and its lamp keepers. Together, the documents have every
 * form of specification section 2.3.
 */

const host = 'https://assets.brindlewake.example'

const answerWith = (document: object): SourceAnswer => ({ metadata: writeJson(document) })

/** Returns a number with one decimal place, such as `5.0`. */
const decimal = (value: number) => new VerbatimJson(value.toFixed(1))

/** Returns an item of a list: a pseudorandom choice that depends only on the token and the purpose. */
function pick<Item>(list: readonly Item[], tokenId: number, purpose: number): Item {
  let mixed = Math.imul(tokenId + 1, 0x9e3779b1) ^ Math.imul(purpose, 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x2c1b3c6d)
  return list[(mixed >>> 12) % list.length] as Item
}

const sha256 = (text: string) => createHash('sha256').update(text).digest()

/** Returns a well-formed CIDv1 (dag-pb, SHA-256). IPFS has no content for it. */
export function contentId(text: string): string {
  const bytes = Buffer.concat([Buffer.from([0x01, 0x70, 0x12, 0x20]), sha256(text)])
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const digits = bits.match(/.{1,5}/g) as string[]
  const alphabet = 'abcdefghijklmnopqrstuvwxyz234567'
  return `b${digits.map((five) => alphabet[Number.parseInt(five.padEnd(5, '0'), 2)]).join('')}`
}

/** Returns a well-formed Arweave transaction identifier. */
const arweaveId = (text: string) => sha256(text).toString('base64url')

/**
 * The folders of the pictures, by which the local stack finds what to draw: content identifiers of IPFS, and a
 * transaction of Arweave.
 */
export const pictureFolders = {
  keepers: contentId('keepers/images'),
  gear: contentId('gear/images'),
  lanterns: contentId('lanterns/images'),
  vessels: contentId('vessels/images'),
  vesselsOnArweave: arweaveId('vessels/images'),
  crates: contentId('crates/images'),
}

const firstNames = ['Oriel', 'Bram', 'Ysolde', 'Tam', 'Corrin', 'Wenna', 'Hale', 'Perpetua', 'Ludo']
const lastNames = ['Saltry', 'Fennimore', 'Quay', 'Ashlamp', 'Thole', 'Merrow', 'Withy', 'Garrick']
const lamps = ['Gannet Stair', 'Old Nine', 'The Widow’s Candle', 'Low Spindle', 'Farther Light']
const temperaments = ['Patient', 'Sleepless', 'Superstitious', 'Cheerful', 'Exact', 'Wary']
const habits = [
  'counts the drowned hour aloud and is never off by more than a breath',
  'leaves a cup of oil on the sill for whoever rowed in last',
  'can tell a herring boat from a reaver by the way it coughs in fog',
  'has not slept through a tide since the bell at Low Spindle cracked',
  'writes every wreck into the log, and every rescue under it',
  'trims the wick left-handed, because the sea is watching the right',
]

/** A lamp keeper: `image` on IPFS, attributes with `display_type` `number` and `boost_number`. */
export function keeper(tokenId: number): SourceAnswer {
  const name = `${pick(firstNames, tokenId, 1)} ${pick(lastNames, tokenId, 2)}`
  const lamp = pick(lamps, tokenId, 3)
  return answerWith({
    name,
    description: `Keeper of ${lamp}. ${name} ${pick(habits, tokenId, 4)}.`,
    image: `ipfs://${pictureFolders.keepers}/${tokenId}.svg`,
    external_url: `https://brindlewake.example/keepers/${tokenId}`,
    attributes: [
      { trait_type: 'Lamp', value: lamp },
      { trait_type: 'Temperament', value: pick(temperaments, tokenId, 5) },
      { trait_type: 'Watch', value: 1 + (tokenId % 5), display_type: 'number' },
      {
        trait_type: 'Night Sight',
        value: decimal(2 + (tokenId % 9) / 2),
        display_type: 'boost_number',
      },
    ],
  })
}

/** A kind of equipment, with the members of item shape A (2.3). */
interface GearKind {
  name: string
  description: string
  rarity: string
  parentItem: string
  attributes?: Readonly<Record<string, number>>
  enchantments?: Readonly<Record<string, number>>
}

const gear: readonly GearKind[] = [
  {
    name: 'Brass Storm Lantern',
    description: 'Burns an hour longer than the oil allows. Nobody asks where the hour comes from.',
    rarity: 'RARE',
    parentItem: 'Lantern',
    attributes: { Brightness: 14, Durability: 5 },
    enchantments: { Fogcutter: 2 },
  },
  {
    name: 'Eelskin Gloves',
    description: 'For handling lamp glass, hot rope and other people’s secrets.',
    rarity: 'COMMON',
    parentItem: 'Gloves',
    attributes: { Grip: 3.5 },
    enchantments: {},
  },
  {
    name: 'Tidewright’s Compass',
    description: 'Points at the nearest land that will still be there in an hour.',
    rarity: 'EPIC',
    parentItem: 'Compass',
    attributes: { Insight: 9, Luck: 2 },
    enchantments: { 'True Bearing': 3, Undertow: 1 },
  },
  {
    name: 'Mended Oilskin',
    description: 'Eleven owners, each of whom added a patch and a pocket.',
    rarity: 'COMMON',
    parentItem: 'Coat',
    attributes: {},
  },
  {
    name: 'Bellfounder’s Hammer',
    description: 'Rings on iron, sings on bronze, and is silent on bone.',
    rarity: 'LEGENDARY',
    parentItem: 'Hammer',
    attributes: { Strength: 12, Resonance: 7.5 },
    enchantments: { 'Ninth Toll': 5 },
  },
  {
    name: 'Gull-Feather Quill',
    description: 'Entries made with it cannot be struck out of a log, only answered.',
    rarity: 'UNCOMMON',
    parentItem: 'Quill',
    enchantments: { Testimony: 1 },
  },
]

const makers = ['Stairfoot', 'Nine Wharf', 'Candle Row', 'Spindle Yard']

/** A piece of equipment: item shape A, `imageUrl`, attributes with `name`; some members are missing. */
export function equipment(tokenId: number): SourceAnswer {
  const kind = pick(gear, tokenId, 6)
  const maker = pick(makers, tokenId, 7)
  const listed = (values: Readonly<Record<string, number>>) =>
    Object.entries(values).map(([name, value]) => ({
      name,
      value: Number.isInteger(value) ? value : decimal(value),
    }))
  return answerWith({
    name: `${kind.name} of ${maker}`,
    description: kind.description,
    imageUrl: `ipfs://${pictureFolders.gear}/${tokenId}.svg`,
    maxSupply: tokenId % 3 === 0 ? undefined : 250 * (1 + (tokenId % 8)),
    attributes: [
      { trait_type: 'Maker', name: 'maker', value: maker },
      { trait_type: 'Weight', name: 'weight', value: decimal(5 * (1 + (tokenId % 4))) },
      { trait_type: 'Tier', name: 'tier', value: 1 + (tokenId % 4), display_type: 'number' },
    ],
    brindlewakeItem: {
      name: kind.name,
      description: kind.description,
      rarity: kind.rarity,
      parentItem: kind.parentItem,
      attributes: kind.attributes && listed(kind.attributes),
      enchantments: kind.enchantments && listed(kind.enchantments),
    },
  })
}

const glasses = ['Salt White', 'Herring Silver', 'Storm Green', 'Widow’s Red', 'Ebb Blue']
const oils = ['Whale', 'Tallow', 'Rapeseed', 'Nobody’s Business']

/** A lantern of the collection of 10,000, or one that was minted later. */
export function lantern(tokenId: number): SourceAnswer {
  return answerWith({
    name: `Lantern ${tokenId} of ${pick(lamps, tokenId, 11)}`,
    description: 'Lit at the drowned hour, and never twice by the same hand.',
    image: `ipfs://${pictureFolders.lanterns}/${tokenId}.svg`,
    attributes: [
      { trait_type: 'Glass', value: pick(glasses, tokenId, 10) },
      { trait_type: 'Oil', value: pick(oils, tokenId, 12) },
      { trait_type: 'Hours', value: 4 + (tokenId % 9), display_type: 'number' },
    ],
  })
}

const hulls = [
  { type: 'Cutter', modelName: 'hull_cutter_02', trade: 'carries lamp oil and bad news' },
  { type: 'Herring Drifter', modelName: 'hull_drifter_01', trade: 'fishes the edge of the hour' },
  { type: 'Bell Barge', modelName: 'hull_barge_bell', trade: 'sounds the shoals when lamps fail' },
  { type: 'Packet', modelName: 'hull_packet_04', trade: 'brings the post, most of it dry' },
]
const christenings = [
  'Second Thought',
  'Patient Margaret',
  'Borrowed Hour',
  'Lee and Mercy',
  'Teal',
]

/** Every tenth picture is at a host that does not exist. */
const vesselUrl = (tokenId: number): string =>
  tokenId % 10 === 1
    ? `${host}/vessels/${tokenId}.png`
    : `ipfs://${pictureFolders.vessels}/${tokenId}.svg`

/** A vessel: item shape B; `image_url` on IPFS or HTTPS, or `image` on Arweave; every fourth vessel has no attributes. */
export function vessel(tokenId: number): SourceAnswer {
  const { type, modelName, trade } = pick(hulls, tokenId, 8)
  const name = `${pick(christenings, tokenId, 9)} ${tokenId}`
  const onArweave = tokenId % 2 === 0
  return answerWith({
    name,
    description: `A ${type.toLowerCase()} out of Brindlewake that ${trade}.`,
    image: onArweave ? `ar://${pictureFolders.vesselsOnArweave}/${tokenId}.svg` : undefined,
    image_url: onArweave ? undefined : vesselUrl(tokenId),
    brindlewakeItem: { name, description: `Hull of the ${name}`, type, modelName },
    attributes:
      tokenId % 4 === 0
        ? undefined
        : [
            { trait_type: 'Rig', value: type },
            { trait_type: 'Draught', value: decimal(1 + (tokenId % 6) / 2) },
            { trait_type: 'Speed', value: 3 + (tokenId % 7), display_type: 'boost_number' },
          ],
  })
}

const seasons = [
  'First Ebb',
  'Lamplighting',
  'The Long Fog',
  'Herring Moon',
  'Candle Week',
  'Spring Tide',
]

/** A crate of equipment: the `pack` of 2.3. */
export function crate(tokenId: number): SourceAnswer {
  const season = seasons[(tokenId - 1) % seasons.length] as string
  return answerWith({
    name: `${season} Crate`,
    description: `Salvage of the ${season} season, nailed shut by the harbour office. Do not shake.`,
    imageUrl: `ipfs://${pictureFolders.crates}/${tokenId}.svg`,
    maxSupply: 5000,
    pack: {
      name: season,
      description: 'Three pieces of equipment, one of them at least rare.',
      totalAmount: 3,
      symbol: `BWC${tokenId}`,
      symbolImage: `${host}/crates/symbols/${tokenId}.svg`,
      releaseDate: `2025-${String(((tokenId - 1) % 6) * 2 + 1).padStart(2, '0')}-14`,
    },
  })
}

/** An unsolicited postcard of another contract, which is not part of the game. */
export const postcard = (tokenId: number): SourceAnswer =>
  answerWith({
    name: `Postcard from Gull Harbour No. ${tokenId}`,
    description: 'Wish you were here. The tide was not what the brochure said.',
    image: `https://postcards.gullharbour.example/${tokenId}.jpg`,
  })
