import { expect, test } from 'vitest'
import { clientOf } from '../../lib/http/form-fields.ts'

const game = '0f5a3c1e-7b62-4c1d-9d53-2a8f1f0c9b7e'
const other = '3f5a3c1e-7b62-4c1d-9d53-2a8f1f0c9b7e'
const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

test('D141: the client of a form is that of the form, or the user of Basic with an empty password', () => {
  expect(clientOf(undefined, game)).toBe(game)
  expect(clientOf(undefined, undefined)).toBeUndefined()
  for (const user of [game, game.toUpperCase(), game.replaceAll('-', '%2D')]) {
    expect(clientOf(basic(`${user}:`), undefined)).toBe(game)
    expect(clientOf(basic(`${user}:`).replace('Basic', 'basic '), game)).toBe(game)
  }
})

test.each([
  ['client_password', `${game}:secret`, undefined],
  ['client_password', `${game}:secret`, game],
  ['client_password', `${game}::`, game],
  ['another_client', `${game}:`, other],
  ['another_client', `${game}:`, 'x'],
])('D141: Basic is refused: %s, %s beside %s', (reason, sent, inForm) => {
  const refused = expect.objectContaining({ code: 'client_authentication_failed', reason })
  expect(() => clientOf(basic(sent), inForm)).toThrow(refused)
})

test.each([
  basic('proxy:secret'),
  basic(`${game}x:secret`),
  basic(`${game}&x:secret`),
  basic(`x:${game}`),
  basic(game),
  'Basic',
  'Basic %%%',
  `Bearer ${game}`,
  `${basic(`${game}:secret`)},Basic x`,
])('D141: any other header Authorization is ignored: %s', (authorization) => {
  expect(clientOf(authorization, 'the form')).toBe('the form')
  expect(clientOf(authorization, undefined)).toBeUndefined()
})
