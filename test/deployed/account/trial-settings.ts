import { settings } from '../deployment.ts'
import type { TrialPlace } from './account-place.ts'

interface Configured {
  readonly place: Pick<TrialPlace, 'account' | 'aws' | 'concurrency'>
  readonly stage: string
  readonly withoutCloudFront: boolean
}

/** The settings of the stage: those of the deployment that the API tests call, and what only an account can show. */
export const trialSettings = (
  { place, stage, withoutCloudFront }: Configured,
  indexerUrl: string,
): object => ({
  ...settings,
  ...{ stage, protection: 'dev', account: place.account, region: place.aws.region },
  indexerUrl,
  trafficShift: 'canary',
  // Nothing is reserved in this stage. The throttles of a smaller account would refuse what the trial itself sends.
  accountConcurrency: Math.max(1_000, place.concurrency),
  // The API tests call from one machine, and no call to the sample indexer takes long.
  slowestOpenCallSeconds: 1,
  ...(withoutCloudFront && { edge: undefined, dashboard: false }),
})
