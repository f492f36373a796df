import { listedKey } from '../answers.ts'
import { describedObject, example } from '../documentation.ts'

export const exampleKey = {
  keyId: example.keyId,
  label: 'Game servers',
  scope: 'READ',
  last4: example.newApiKey.slice(-4),
  createdAt: '2026-01-01T09:30:00.000Z',
  expiresAt: null,
  lastUsedOn: null,
  endedAt: null,
  endReason: null,
} as const

export const listedKeyFields = {
  keyId: 'The public identity of the key.',
  label: 'The label that the key was created with.',
  scope: '`MANAGE` permits everything, `READ` permits reading the NFTs of players.',
  last4: 'The last four characters of the key.',
  createdAt: 'When the key was created, in UTC.',
  expiresAt: 'When the key ends or has ended by itself, in UTC; `null` if it does not.',
  lastUsedOn: 'The day of the latest use, in UTC; `null` before the first use.',
  endedAt: 'When the key ended, in UTC; `null` while it works.',
  endReason:
    'Why the key ended: `deleted` by a call, `expired` at its end, `rotated` at the end of the overlap; `null` while it works.',
}

export const listedKeySchema = describedObject(
  listedKey,
  'An API key, without the key itself.',
  listedKeyFields,
)

/** The meaning of the parameter `keyId` of a path. */
export const keyIdParameter = {
  keyId: {
    description: 'The `keyId` of the key, as the list of keys has it.',
    example: example.keyId,
  },
}
