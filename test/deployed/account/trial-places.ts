import { request as httpsRequest } from 'node:https'
import { Lambda } from '@aws-sdk/client-lambda'
import { STS } from '@aws-sdk/client-sts'
import { defaultProvider } from '@aws-sdk/credential-provider-node'
import type { AwsAccess } from '@player-nfts/local/aws/aws-access'
import { type Ministack, startMinistack } from '../../../scripts/deploy-local/ministack.ts'
import type { Place } from '../../../scripts/deploy-local/place.ts'
import {
  ministackProgram,
  pythonEnvironment,
} from '../../../scripts/deploy-local/python-environment.ts'
import { serve } from '../../support/services/http-server.ts'
import type { AccountArguments } from './arguments.ts'

/** A place of a trial. It is passed to another process, so it is JSON. */
export interface TrialPlace extends Place {
  /** The concurrent executions of the account. */
  readonly concurrency: number
  /** What the checks need of an emulator, if it is one. */
  readonly emulator?: { readonly python: string; readonly ministack: Ministack }
}

/** What a trial tests. It is passed to another process, so it is JSON. */
export interface Trial {
  readonly place: TrialPlace
  readonly stage: string
  /** The folder of all files that the trial writes. */
  readonly dir: string
  /** When the journey of the lantern begins, in milliseconds since 1970. */
  readonly startedAt: number
  /** The secret path of the sample indexer. */
  readonly indexerPath: string
  readonly withoutCloudFront: boolean
}

/** Fewer would throttle the API tests, which call several functions at once. */
export const neededConcurrency = 100

/** Longer than a trial: nothing could be removed with credentials that have ended. */
const neededHours = 4

/**
 * The account that the operator has named, with the credentials of a profile. Throws an Error of one sentence if they are
 * for another account, or, unless something is only removed, if they or the account do not suffice for a trial.
 */
export async function accountPlace(request: AccountArguments): Promise<TrialPlace> {
  const { account, region, profile, remove } = request
  const { expiration, ...credentials } = await credentialsOf(profile)
  const aws = { region, credentials }
  const { Account } = await new STS(aws).getCallerIdentity()
  if (Account !== account) {
    throw new Error(`The credentials are for the account ${Account}, and not for ${account}.`)
  }
  const place = { account, aws, environment: environmentOf(aws) }
  if (remove) return { ...place, concurrency: 0 }
  const minutes = expiration && Math.floor((expiration.getTime() - Date.now()) / 60_000)
  if (minutes !== undefined && minutes < neededHours * 60) {
    throw new Error(
      `The credentials end in ${minutes} minutes, and a trial needs them for ${neededHours} hours: use a user, or a longer session (duration_seconds in the profile).`,
    )
  }
  const { AccountLimit } = await new Lambda(aws).getAccountSettings()
  const { ConcurrentExecutions: concurrency = 0 } = AccountLimit ?? {}
  if (concurrency < neededConcurrency) {
    throw new Error(
      `The account has ${concurrency} concurrent executions in ${region}, and the trial needs ${neededConcurrency}: request more in Service Quotas, Lambda, L-B99A9384.`,
    )
  }
  return { ...place, concurrency }
}

async function credentialsOf(profile: string | undefined) {
  try {
    const found = await defaultProvider(profile ? { profile } : {})()
    const { accessKeyId, secretAccessKey, sessionToken, expiration } = found
    return { accessKeyId, secretAccessKey, ...(sessionToken && { sessionToken }), expiration }
  } catch (error) {
    const [reason] = (error as Error).message.split('\n')
    throw new Error(`There are no credentials for an account: ${reason}.`)
  }
}

/** The variables with which tools use these credentials in this Region, and no others of the shell. */
function environmentOf({ region, credentials }: AwsAccess): NodeJS.ProcessEnv {
  const { accessKeyId, secretAccessKey, sessionToken } = credentials
  const others = /^AWS_(PROFILE|DEFAULT_PROFILE|SESSION_TOKEN|CREDENTIAL_\w+|ACCOUNT_ID)$/
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !others.test(name))),
    ...{ AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey },
    ...(sessionToken && { AWS_SESSION_TOKEN: sessionToken }),
    ...{ AWS_REGION: region, AWS_DEFAULT_REGION: region },
  }
}

/** MiniStack on this machine, which `cleanup` stops. */
export async function emulatorPlace(dir: string, cleanup: AsyncDisposableStack) {
  const python = await pythonEnvironment(ministackProgram)
  const ministack = await startMinistack(python, dir)
  cleanup.defer(() => ministack.close())
  return { ...ministack, concurrency: 1_000, emulator: { python, ministack } }
}

/** An address that leads to a function URL, which MiniStack serves by the name of the host. */
export async function forwardTo(
  { host }: URL,
  { aws }: Pick<Ministack, 'aws'>,
  cleanup: AsyncDisposableStack,
): Promise<string> {
  // The certificate is for this name, and not for that of the function.
  const servername = 'localhost'
  const { hostname, port } = new URL(aws.endpoint)
  return await serve(
    (received, response) => {
      const { method = 'GET', url: path = '/' } = received
      const headers = { ...received.headers, host }
      const sent = httpsRequest({ hostname, port, servername, method, path, headers }, (answer) => {
        // No request can meet an idle connection that closes.
        response.writeHead(answer.statusCode ?? 502, { ...answer.headers, connection: 'close' })
        answer.pipe(response)
      })
      sent.on('error', () => response.destroy())
      received.pipe(sent)
    },
    (end) => cleanup.defer(end),
  )
}
