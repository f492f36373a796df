import { atFileEnd } from '../../../test/support/vitest/at-file-end.ts'
import { type Attempt, type ClientOptions, PlayerNfts, type PlayerNftsError } from '../src/index.ts'
import { type Scripted, serveScriptUntil } from './scripted-server.ts'

/** A client of a server with this script, and the attempts that the client reports. For concurrent tests too. */
export async function clientOf(script: Scripted[], options: Partial<ClientOptions> = {}) {
  const { url, requests } = await serveScriptUntil(atFileEnd, script)
  const attempts: Attempt[] = []
  const onAttempt = (attempt: Attempt) => attempts.push(attempt)
  const client = new PlayerNfts({ baseUrl: url, maxRetries: 1, onAttempt, ...options })
  return { client, requests, attempts }
}

/** The error with which a call fails. */
export const errorOf = (call: Promise<unknown>) =>
  call.then(
    () => {
      throw new Error('The call succeeded')
    },
    (error: PlayerNftsError) => error,
  )
