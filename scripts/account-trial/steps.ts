import { deploySteps } from './deploy-steps.ts'
import { coldStep, warmStep } from './figure-steps.ts'
import type { Step } from './run-steps.ts'
import { realWalletStep, testSteps } from './test-steps.ts'
import type { Trial } from './trial.ts'
import { updateSteps } from './update-steps.ts'

/** Everything that a trial does before it removes what it has created, in this order. */
export const steps: readonly Step<Trial>[] = [
  ...deploySteps,
  ...testSteps,
  warmStep,
  ...updateSteps,
  realWalletStep,
  coldStep,
]

/** The removal, which follows every trial. */
export const removal = { name: 'Remove everything', minutes: 12 } as const
