import { beforeEach, describe, expect, test } from 'vitest'
import { memoryStorage } from '../../test/support/memory/memory-storage.ts'
import { contractPath, pageAt } from '../shell/page-paths.ts'
import { createSession, draftPrefix } from '../shell/session.ts'
import {
  dayText,
  durationText,
  exactTime,
  timeAgo,
  timeUntil,
  utcDayText,
} from '../shell/time-text.ts'

let storage: Storage
let session: ReturnType<typeof createSession>
beforeEach(() => {
  storage = memoryStorage()
  session = createSession(storage)
})

describe('D62: the session', () => {
  let changes: number
  beforeEach(() => {
    changes = 0
    session.subscribe(() => {
      changes += 1
    })
  })

  test('keeps the key in the storage of the tab, and survives a reload', () => {
    expect(session.apiKey).toBeUndefined()
    session.signIn('pnk_1')
    expect(createSession(storage).apiKey).toBe('pnk_1')
    expect(changes).toBe(1)
  })

  test('leaves no trace when the user signs out', () => {
    session.signIn('pnk_1')
    for (const name of ['a', 'b']) storage.setItem(draftPrefix + name, '"typed"')
    storage.setItem('another-site', 'stays')
    session.end('signedOut')
    expect(session.apiKey).toBeUndefined()
    expect(session.ended).toBe('signedOut')
    expect(storage.length).toBe(1)
    expect(changes).toBe(2)
  })

  test('keeps what was typed when the API refuses the key', () => {
    session.signIn('pnk_1')
    storage.setItem(`${draftPrefix}register`, '"typed"')
    session.end('refused')
    expect([session.apiKey, storage.length]).toEqual([undefined, 1])
    session.signIn('pnk_2')
    expect(session.ended).toBeUndefined()
  })

  test('tells nothing to those who no longer listen', () => {
    const stop = session.subscribe(() => {
      changes += 100
    })
    stop()
    session.signIn('pnk_1')
    expect(changes).toBe(1)
  })
})

describe('D79: a new key that is not saved', () => {
  const newSecret = { title: 'Your API key', kind: 'apiKey', secret: 'pnk_2' } as const
  beforeEach(() => {
    session.signIn('pnk_1')
    session.showNewSecret(newSecret)
  })
  const again = () => createSession(storage).newSecret

  test('survives a reload until it is saved', () => {
    expect([session.newSecret, again()]).toEqual([newSecret, newSecret])
    session.newSecretSaved()
    expect([session.newSecret, again(), session.apiKey]).toEqual([undefined, undefined, 'pnk_1'])
    expect(storage.length).toBe(1)
  })

  test('becomes the key of the session, or outlives a session that the API refuses', () => {
    session.signIn('pnk_2')
    expect([session.newSecret, again()]).toEqual([newSecret, newSecret])
    session.end('refused')
    expect([session.newSecret, again(), storage.length]).toEqual([newSecret, newSecret, 1])
  })

  test.each(['signedOut', 'deleted'] as const)('ends with a session that is %s', (reason) => {
    session.end(reason)
    expect([session.newSecret, again(), storage.length]).toEqual([undefined, undefined, 0])
  })

  test('is not there for a session with another key', () => {
    session.signIn('pnk_3')
    expect([session.newSecret, again(), storage.length]).toEqual([undefined, undefined, 1])
  })

  test('is shown also if the storage has no room for it', () => {
    storage.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError')
    }
    const other = { title: 'Another', kind: 'webhookSecret', secret: 'whsec_4' } as const
    session.showNewSecret(other)
    expect(session.newSecret).toEqual(other)
    expect(again()).toBeUndefined()
  })
})

describe('the paths of the dashboard', () => {
  test.each([
    ['/', 'home', {}],
    ['/nfts', 'nfts', {}],
    ['/nfts/', 'nfts', {}],
    ['/nfts/BSC/0x2ea0', 'contract', { chain: 'BSC', address: '0x2ea0' }],
    ['/try', 'tryIt', {}],
  ])('%s is the page %s', (path, name, params) => {
    expect(pageAt(path)).toEqual({ name, params })
  })

  test.each([
    '',
    '/nothing',
    '/nfts/BSC',
    '/nfts/BSC/',
    '/nfts/BSC/1/2',
    '/nfts/BSC/%',
    '/constructor',
  ])('%s is no page', (path) => expect(pageAt(path)).toBeUndefined())

  test('lead back to the values of a contract', () => {
    const params = { chain: 'A/B?', address: '0x1#2 %' }
    expect(pageAt(contractPath(params.chain, params.address))?.params).toEqual(params)
  })
})

describe('times', () => {
  const now = Date.parse('2026-11-22T09:30:00Z')

  test.each([
    [0, 'just now'],
    [59.9, 'just now'],
    [60, '1 minute ago'],
    [3_599, '59 minutes ago'],
    [3_600, '1 hour ago'],
    [86_399, '23 hours ago'],
    [86_400, '1 day ago'],
    [86_400 * 400, '400 days ago'],
    [-5, 'just now'],
  ])('%d seconds ago is "%s"', (seconds, text) => {
    expect(timeAgo(now - seconds * 1000, now)).toBe(text)
  })

  test.each([
    [45, 'in 45 seconds'],
    [0.1, 'in 1 second'],
    [119, 'in 1 minute'],
    [3_600, 'in 1 hour'],
    [86_400 * 3, 'in 3 days'],
    [0, 'now'],
    [-60, 'now'],
  ])('%d seconds ahead is "%s"', (seconds, text) => {
    expect(timeUntil(now + seconds * 1000, now)).toBe(text)
  })

  test.each([
    [0, '0 seconds'],
    [1, '1 second'],
    [59, '59 seconds'],
    [60, '1 minute'],
    [7_300, '2 hours'],
    [90_000, '1 day'],
  ])('%d seconds are "%s"', (seconds, text) => {
    expect(durationText(seconds)).toBe(text)
  })

  test('a day has one form, and a day in UTC is no other day elsewhere', () => {
    expect(dayText('2026-11-22T12:00:00Z')).toBe('22 Nov 2026')
    expect(utcDayText('2026-11-01')).toBe('1 Nov 2026')
  })

  test('an exact time is in UTC', () => {
    expect(exactTime('2026-11-22T09:30:05.123Z')).toBe('22 Nov 2026, 09:30:05 UTC')
  })
})
