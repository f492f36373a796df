import { describe, expect, test } from 'vitest'
import {
  changesOf,
  newFields,
  webhookFaults,
  webhookOf,
} from '../../../dashboard/views/webhooks/webhook-fields.ts'
import { exampleWebhook } from '../../../lib/contract/documentation/webhooks.ts'

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
