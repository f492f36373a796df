import { unreadable } from '../indexer/metadata-cache.ts'
import type { SourceAnswer } from '../indexer/world.ts'

interface Curio {
  tokenUri: string
  answer: SourceAnswer
}

const host = 'https://metadata.brindlewake.example/curios'
const depth = 10_000

/**
 * The curios of Brindlewake: documents in unusual, wrong or hostile forms, as their sources send them.
 * Decisions D26, D27 and D134 define how the service handles them.
 */
export const curios: readonly Curio[] = [
  {
    tokenUri: `${host}/1.json`,
    answer: {
      metadata: `{
  "name": "The Log That Writes Itself",
  "__proto__": {"isAdmin": true},
  "constructor": null,
  "10": "comes first",
  "2": "comes second",
  "description": "Found open on a dry desk, in wet ink.",
  "image": null,
  "serial": 12345678901234567890,
  "weight": 5.0,
  "mass": 1.50e-7,
  "attributes": [
    {"trait_type": "Serial", "value": 12345678901234567890},
    {"trait_type": "Ink", "value": 5.0, "display_type": "number"},
    {"trait_type": "Author", "value": null}
  ]
}`,
    },
  },
  {
    tokenUri: `${host}/2.json`,
    answer: {
      metadata: `{"name":"Nested Boxes","description":"There is always another.","boxes":${'['.repeat(depth)}${']'.repeat(depth)}}`,
    },
  },
  {
    tokenUri: `${host}/3.json`,
    answer: unreadable('Token uri responded with a non 200 response code'),
  },
  { tokenUri: `${host}/4.json`, answer: { metadata: '["not", "an", "object"]' } },
  {
    tokenUri: `${host}/5.json`,
    answer: {
      metadata:
        '{"name":"Bottled Fog","description":"Do not uncork indoors.","attributes":{"Volume":0.7,"Cork":"sound","Opened":false}}',
    },
  },
  {
    tokenUri: 'data:application/json,{"image":"data:image/svg+xml;utf8,<svg/>"}',
    answer: { metadata: '{"image":"data:image/svg+xml;utf8,<svg/>"}' },
  },
  {
    tokenUri: '',
    answer: {
      metadata:
        '{"name":"Nameless Buoy","description":"","image":"buoy.png","attributes":[{"trait_type":"Moored","value":true},{"trait_type":"Chart","value":{"sheet":7,"grid":[4,"C"]}},{"value":"no name"},{"trait_type":"no value"},"no object"]}',
    },
  },
  {
    tokenUri: `${host}/8.json`,
    answer: {
      metadata:
        '{"name":"Lamp Glass \\u2014 cracked \\ud83d\\udd6f","description":"Ünïcode, 提灯, and a line\\nbreak.","imageUrl":"https://assets.brindlewake.example/curios/8.png"}',
    },
  },
]
