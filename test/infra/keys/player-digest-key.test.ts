import { describe, expect, test } from 'vitest'
import { functionNames } from '../../../infra/bundle/bundle.ts'
import { environmentOf, serviceTemplate } from '../../support/service-template.ts'

const plain = serviceTemplate()
const changed = serviceTemplate({ playerDigestKey: '2' })

const secretOf = ({ all }: typeof plain) => {
  const [secret, ...others] = all('AWS::SecretsManager::Secret').filter(([id]) =>
    id.startsWith('PlayerDigest'),
  )
  expect(others).toEqual([])
  return secret
}

describe('D72: the key of the digests of players', () => {
  test('is generated, and is not in the template', () => {
    const [, secret] = secretOf(plain) ?? []
    expect(secret?.Properties.GenerateSecretString).toEqual({
      ExcludePunctuation: true,
      PasswordLength: 43,
    })
    expect(secret?.Properties).not.toHaveProperty('SecretString')
  })

  test('is passed on to the functions that know players, and to no other', () => {
    const [id] = secretOf(plain) ?? []
    const keys = functionNames({}).flatMap((name) => {
      const key = environmentOf(plain, `-${name}`)?.PLAYER_DIGEST_KEY
      return key === undefined ? [] : [[name, JSON.stringify(key)] as const]
    })
    expect(keys.map(([name]) => name).toSorted()).toEqual([
      ...['create-player-token', 'get-player-details'],
      ...['get-raw-metadata', 'get-structured-metadata'],
    ])
    for (const [, key] of keys) {
      expect(key).toContain('{{resolve:secretsmanager:')
      expect(key).toContain(`"${id}"`)
    }
  })

  test('is another key under another name', () => {
    expect(secretOf(changed)?.[0]).not.toBe(secretOf(plain)?.[0])
  })

  test('can be found by the command that computes a digest', () => {
    expect(plain.outputs['PlayerDigestSecretArn'].Value).toEqual({ Ref: secretOf(plain)?.[0] })
  })
})
