import type { Deployment, Site } from '../../test/deployed/deployment.ts'
import type { Belongings } from '../../test/deployed/survival.ts'
import { type Service, serviceAt } from '../../test/support/services/service.ts'
import type { LeftBehind } from './left-behind.ts'
import type { TrialPlace } from './trial-place.ts'

/** A trial in progress. */
export interface Trial {
  readonly place: TrialPlace
  readonly stage: string
  /** The folder of all files that the trial writes. */
  readonly dir: string
  /** When the journey of the lantern begins, in milliseconds since 1970. */
  readonly startedAt: number
  /** The secret path of the sample indexer. */
  readonly indexerPath: string
  readonly alchemyKey: string | undefined
  /** What the steps before have made. */
  readonly made: {
    indexerUrl?: string
    site?: Site
    /** The first version. */
    deployment?: Deployment
    belongings?: Belongings
    /** What remains after the removal. */
    left?: LeftBehind
  }
}

/** What the steps of a deployed trial use. */
interface DeployedTrial {
  readonly site: Site
  readonly deployment: Deployment
  readonly service: Service
}

/** The deployed service of a trial. Throws an Error if it is not deployed. */
export function deployedIn({ made: { site, deployment } }: Trial): DeployedTrial {
  if (!site || !deployment) throw new Error('the service is not deployed')
  return { site, deployment, service: serviceAt(deployment.target) }
}
