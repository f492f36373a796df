import { describe, expect, test } from 'vitest'
import { deploymentSettings } from '../../../infra/settings/settings.ts'
import { coveredChains } from '../../../lib/domain/nft/chain.ts'
import { faultsIn } from '../../support/deployment-faults.ts'
import { domain } from '../../support/prod-settings.ts'

type Rows = [settings: Record<string, unknown>, fault: string][]

describe('a name that is not known', () => {
  const misspelt: Rows = [
    [{ alarmEmial: 'a@b.example' }, 'alarmEmial is not a setting: did you mean alarmEmail?'],
    [
      { RegistrationOpen: true },
      'RegistrationOpen is not a setting: did you mean registrationOpen?',
    ],
    [
      { registrationsPerHuor: 1 },
      'registrationsPerHuor is not a setting: did you mean registrationsPerHour?',
    ],
    [{ edge: { webAcl: 'x' } }, 'edge.webAcl is not a setting'],
    [{ edge: { secret: ['1'] } }, 'edge.secret is not a setting: did you mean secrets?'],
    [{ volumeAlarms: { write: 1 } }, 'volumeAlarms.write is not a setting: did you mean writes?'],
    [
      { reservedConcurrency: { getopenAPI: 5 } },
      'reservedConcurrency.getopenAPI is not a function: did you mean getOpenapi?',
    ],
  ]

  test.each(misspelt)(
    '%j is refused with the name that it may be meant to be',
    (settings, fault) => {
      expect(faultsIn(settings)).toEqual([fault])
    },
  )

  test('one error lists every unknown name, also within a setting', () => {
    const misspelt = {
      ...{ colour: 'red', size: 1 },
      ...{ domain: { ...domain, a: 1, b: 1 }, volumeAlarms: { c: 1, d: 1 }, edge: { e: 1, f: 1 } },
    }
    expect(faultsIn(misspelt)).toEqual(
      [
        ...['colour', 'domain.a', 'domain.b', 'edge.e', 'edge.f', 'size'],
        ...['volumeAlarms.c', 'volumeAlarms.d'],
      ].map((name) => `${name} is not a setting`),
    )
  })
})

describe('a text in which dots stand for a part, as in the documentation', () => {
  const incomplete: Rows = [
    [
      { tableKeyArn: 'arn:aws:kms:eu-central-1:123456789012:key/…' },
      'tableKeyArn must be complete: three dots stand for a part of it',
    ],
    [
      { domain: { ...domain, certificateArn: 'arn:aws:acm:…' } },
      'domain.certificateArn must be complete: three dots stand for a part of it',
    ],
    [
      { playerTokenKeys: ['2', 'arn:aws:kms:eu-central-1:123456789012:key/...'] },
      'playerTokenKeys.1 must be complete: three dots stand for a part of it',
    ],
    [{ issuer: 'https://login…' }, 'issuer must be complete: three dots stand for a part of it'],
  ]

  test('is not a name with dots, as a secret may have', () => {
    const indexerSecretArn =
      'arn:aws:secretsmanager:eu-central-1:123456789012:secret:games...key-a1B2c3'
    expect(deploymentSettings({ indexerSecretArn })).toMatchObject({ indexerSecretArn })
  })

  test.each(incomplete)('is refused, with no other fault of this text: %j', (settings, fault) => {
    expect(faultsIn(settings)).toEqual([fault])
  })
})

describe('D47: a limit that is never reached, because another is reached before', () => {
  const contradictory: Rows = [
    [
      { registrationsPerAddressAndHour: 101 },
      'registrationsPerAddressAndHour must be at most registrationsPerHour, which is 100 by default',
    ],
    [
      { registrationsPerHour: 5, registrationsPerAddressAndHour: 6 },
      'registrationsPerAddressAndHour must be at most registrationsPerHour, which is 5',
    ],
    [
      { indexerCallsPerProductAndMinute: 521 },
      'indexerCallsPerProductAndMinute must be at most indexerCallsPerProductAndDay, which is 520 by default',
    ],
    [
      { clientIndexerCallsPerProductAndMinute: 76 },
      'clientIndexerCallsPerProductAndMinute must be at most indexerCallsPerProductAndMinute, which is 75 by default',
    ],
    [
      { indexerCallsPerProductAndDay: 500, clientIndexerCallsPerProductAndDay: 501 },
      'clientIndexerCallsPerProductAndDay must be at most indexerCallsPerProductAndDay, which is 500',
    ],
    [
      { clientIndexerCallsPerProductAndMinute: 30, clientIndexerCallsPerProductAndDay: 29 },
      'clientIndexerCallsPerProductAndMinute must be at most clientIndexerCallsPerProductAndDay, which is 29',
    ],
  ]

  test.each(contradictory)('is refused: %j', (settings, fault) => {
    expect(faultsIn(settings)).toEqual([fault])
  })

  test('is not confused with a limit that counts something else: the same NFTs count each time they are allowlisted', () => {
    const limits = { allowlistedNftsPerProductAndMinute: 200, nftsPerProduct: 100 }
    expect(deploymentSettings(limits)).toMatchObject(limits)
  })

  test('is not refused if it is a default', () => {
    const limits = { registrationsPerHour: 5, nftsPerProduct: 100, indexerCallsPerProductAndDay: 7 }
    expect(deploymentSettings(limits)).toMatchObject(limits)
  })
})

const address = `0x${'a'.repeat(40)}`

const covered = coveredChains.toSorted().join(', ')

describe('D56: the chains of a deployment', () => {
  test('those that the indexer covers can be opened and followed, also if they are named twice', () => {
    const followedChains = [...coveredChains, ...coveredChains]
    const settings = { allowlistChains: coveredChains, followedChains }
    expect(deploymentSettings(settings)).toMatchObject(settings)
  })

  // test/settings/environment.test.ts has the other faults.
  test.each([
    ['bnb-mainnet', '"bnb-mainnet" is not the name of a chain, BSC is'],
    ['MUMBAI', 'MUMBAI was shut down'],
  ])('%s is refused by name', (chain, fault) => {
    const settings = { allowlistChains: ['BSC', chain], serviceToken: `${chain}:${address}:18` }
    expect(faultsIn(settings)).toEqual([
      `allowlistChains.1 must be one of ${covered}: ${fault}`,
      `serviceToken must have one of ${covered}: ${fault}`,
    ])
  })
})
