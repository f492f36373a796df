import type {
  Webhook,
  WebhookEvent,
  WebhookFailure,
  WebhookTest,
} from '../../../clients/typescript/src/types.ts'
import { durationText } from '../../shell/time-text.ts'

interface StateWords {
  label: string
  badge: string
  /** What it means for whoever looks after the server. */
  meaning?: string
}

const states = new Map<string, StateWords>(
  Object.entries({
    unverified: {
      label: 'Not verified',
      badge: 'is-warning',
      meaning: 'It gets no events until its server has answered a test.',
    },
    active: { label: 'Active', badge: 'is-success' },
    failing: { label: 'Failing', badge: 'is-danger' },
    paused: {
      label: 'Paused',
      badge: '',
      meaning: 'It gets no events. If it is resumed within a day, none is lost.',
    },
  } satisfies Record<Webhook['state'], StateWords>),
)

/** A state in words. One of a later version of the service is shown as it is. */
export const stateWords = (state: string): StateWords =>
  states.get(state) ?? { label: state, badge: '' }

/** The types of events, with what they tell. */
export const eventTypes: Readonly<Record<WebhookEvent['type'], string>> = {
  'nft.transferred': 'An NFT changes hands, is minted or is burned.',
  'nft.metadata_changed': 'NFTs can have new metadata.',
  'events.missed': 'Events of a contract are not known: read its players again.',
}

const failures = {
  timeout: 'The server did not answer in time.',
  host_not_found: 'The host of the URL was not found.',
  address_not_public: 'The host of the URL has an address that is not public.',
  connection_failed: 'The connection to the server failed.',
  certificate_invalid: 'The certificate of the server is not valid.',
  answer_malformed: 'The answer of the server was not HTTP.',
  challenge_not_answered: 'The server did not answer with the challenge of the test.',
  secret_ended: 'The service no longer has the secret of this webhook: rotate it.',
}

/** The codes of failures that have a sentence, beside an unexpected status. */
export type KnownFailure = keyof typeof failures

/** Why a message was not delivered, as a sentence. A code of a later version of the service is shown as it is. */
export function failureSentence({ code, status }: Pick<WebhookFailure, 'code' | 'status'>): string {
  if (code === 'unexpected_status' && status !== null) return statusSentence(status)
  return Object.hasOwn(failures, code) ? failures[code as KnownFailure] : code
}

function statusSentence(status: number): string {
  const answered = `The server answered with the status ${status}`
  if (status >= 300 && status < 400) return `${answered}: redirects are not followed.`
  return status === 410 ? `${answered}: it wants no more messages.` : `${answered} in place of 200.`
}

export function testSentence({ delivered, milliseconds, status, failure }: WebhookTest): string {
  if (!delivered) return failureSentence({ code: failure ?? 'not delivered', status })
  return milliseconds === null
    ? 'The server answered the test.'
    : `The server answered the test in ${milliseconds.toLocaleString('en')} ms.`
}

export const behindText = (seconds: number): string =>
  seconds === 0 ? 'Begins now' : `${durationText(seconds)} behind`
