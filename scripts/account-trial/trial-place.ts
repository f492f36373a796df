import type { ApiTestOptions } from '../../test/deployed/api-tests.ts'
import type { CdkOptions, Outputs, Version } from '../../test/deployed/cdk.ts'
import type { Place } from '../../test/deployed/place.ts'

/** What steps need beside a deployment, and an emulator may lack. */
export type Part = 'CodeDeploy' | 'composite alarms' | 'saved queries' | 'figures'

/** A place where a trial is made. */
export interface TrialPlace extends Place {
  /** In the report: `an AWS account in eu-central-1`. */
  readonly title: string
  /** Whether AWS runs it, so that it costs money and takes hours. */
  readonly isAccount: boolean
  /** The parts that it does not have. */
  readonly lacks: readonly Part[]
  readonly cdkOptions: CdkOptions
  readonly apiTests: ApiTestOptions
  /** The concurrent executions of the account. */
  readonly concurrency: number
  /** The command that removes a stage if the trial is killed. An emulator ends with the trial. */
  removalOf?(stage: string): string
  /** The seconds between two questions about something that takes minutes. */
  readonly pollSeconds: number
  /** Sets what an emulator ignores in a template. */
  complete?(version: Version, stackName: string): Promise<unknown>
  /** The address at which a distribution is served. */
  edgeUrlOf(outputs: Outputs): string
  /** The address at which functions reach a function URL, without a slash at its end. */
  functionUrl(url: string): Promise<string>
}

/** The concurrent executions that a trial needs: fewer would throttle the API tests, which call several functions at once. */
export const neededConcurrency = 100
