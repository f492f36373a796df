import { describe, expect, expectTypeOf, test } from 'vitest'
import type { WebhookTest } from '../../clients/typescript/src/types.ts'
import { exampleWebhook } from '../../lib/contract/documentation/webhooks.ts'
import { type FailureCode, webhookEventTypes } from '../../lib/domain/webhooks/webhook.ts'
import { replayFault, replaySince } from '../views/webhooks/action-dialogs.tsx'
import {
  changesOf,
  newFields,
  webhookFaults,
  webhookOf,
} from '../views/webhooks/webhook-dialogs.tsx'
import {
  behindText,
  eventTypes,
  failureSentence,
  type KnownFailure,
  stateWords,
  testSentence,
} from '../views/webhooks/webhook-words.ts'

describe('Webhooks: words', () => {
  test('a state has a word, and one of a later version is shown as it is', () => {
    expect(stateWords('unverified').label).toBe('Not verified')
    expect(stateWords('sleeping')).toEqual({ label: 'sleeping', badge: '' })
    expect(stateWords('constructor').label).toBe('constructor')
  })

  test('every type of events and every failure has its words', () => {
    expectTypeOf<KnownFailure | 'unexpected_status'>().toEqualTypeOf<FailureCode>()
    expect(Object.keys(eventTypes)).toEqual(webhookEventTypes)
  })

  test.each([
    [{ code: 'unexpected_status', status: 404 }, 'the status 404 in place of 200'],
    [{ code: 'unexpected_status', status: 302 }, '302: redirects are not followed'],
    [{ code: 'unexpected_status', status: 410 }, '410: it wants no more messages'],
    [{ code: 'timeout', status: null }, 'The server did not answer in time.'],
    [{ code: 'of_a_later_version', status: null }, 'of_a_later_version'],
    [{ code: 'constructor', status: 500 }, 'constructor'],
  ])('%j', (failure, text) => {
    expect(failureSentence(failure)).toContain(text)
  })

  const result = { delivered: false, status: null, milliseconds: null, failure: null }

  test.each<[Partial<WebhookTest>, string]>([
    [{ delivered: true, milliseconds: 1_084 }, 'The server answered the test in 1,084 ms.'],
    [{ delivered: true }, 'The server answered the test.'],
    [
      { failure: 'unexpected_status', status: 500 },
      'The server answered with the status 500 in place of 200.',
    ],
    [{ failure: 'timeout', milliseconds: 8_000 }, 'The server did not answer in time.'],
  ])('a test %j', (changes, text) => {
    expect(testSentence({ ...result, ...changes })).toBe(text)
  })

  test('how far the deliveries are behind', () => {
    expect([behindText(0), behindText(45), behindText(3_700)]).toEqual([
      'Begins now',
      '45 seconds behind',
      '1 hour behind',
    ])
  })
})

const webhook = { ...exampleWebhook, events: [...exampleWebhook.events] }
const { url, events, description } = webhook

describe('Webhooks: the fields', () => {
  test('a new webhook has every type of events', () => {
    expect(newFields.events).toEqual(events)
  })

  test('the URL and a type are needed', () => {
    expect(webhookFaults({ url: ' ', events: [], description })).toEqual({
      url: 'Write the URL of your server.',
      events: 'Choose at least one type.',
    })
    expect(webhookFaults({ url, events, description })).toEqual({})
  })

  test('spaces around texts are not sent', () => {
    expect(webhookOf({ url: ` ${url} `, events, description: ' x ' })).toEqual({
      url,
      events,
      description: 'x',
    })
  })

  test('only what is different is sent', () => {
    expect(changesOf(webhook, { url, events: events.toReversed(), description })).toBeUndefined()
    expect(changesOf(webhook, { url: `${url}/2`, events, description })).toEqual({
      url: `${url}/2`,
    })
    expect(changesOf(webhook, { url, events: ['events.missed'], description: '' })).toEqual({
      events: ['events.missed'],
      description: '',
    })
  })
})

const now = Date.parse('2026-11-22T09:30:00Z')
const local = (time: number) => {
  const date = new Date(time)
  return new Date(time - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

describe('Webhooks: since when events are sent again', () => {
  test.each([
    ['3600', '', '2026-11-22T08:30:00.000Z'],
    ['86400', '', '2026-11-21T09:30:00.000Z'],
    // Seven days are a little less, because the service refuses more.
    ['604800', '', '2026-11-15T09:35:00.000Z'],
    // In the time zone of the user.
    ['time', local(now - 60_000), '2026-11-22T09:29:00.000Z'],
  ])('%s %s', (choice, time, since) => {
    expect(replaySince({ choice, time }, now)).toBe(since)
  })

  test.each([
    ['', 'Choose a time.'],
    [local(now + 60_000), 'The time must be in the last 7 days.'],
    [local(now - 8 * 86_400_000), 'The time must be in the last 7 days.'],
    [local(now - 6 * 86_400_000), undefined],
  ])('%s', (time, fault) => {
    expect(replayFault({ choice: 'time', time }, now)).toBe(fault)
    expect(replayFault({ choice: '3600', time }, now)).toBeUndefined()
  })
})
