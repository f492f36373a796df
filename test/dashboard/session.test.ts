import { beforeEach, describe, expect, test } from 'vitest'
import { createSession, draftPrefix } from '../../dashboard/shell/session.ts'
import { memoryStorage } from '../support/memory/memory-storage.ts'

describe('D62: the session', () => {
  let storage: Storage
  let session: ReturnType<typeof createSession>
  let changes: number
  beforeEach(() => {
    storage = memoryStorage()
    session = createSession(storage)
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
  let storage: Storage
  let session: ReturnType<typeof createSession>
  beforeEach(() => {
    storage = memoryStorage()
    session = createSession(storage)
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
