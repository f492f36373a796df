import assert from 'node:assert/strict'
import { deploySteps } from './deploy-steps.ts'
import { coldStep, warmStep } from './figure-steps.ts'
import { faultsOf } from './left-behind.ts'
import { removeTrial } from './removal.ts'
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

/** The last step, which follows every trial. */
export const removal: Step<Trial> = {
  name: 'Remove everything',
  minutes: 12,
  async run({ place, stage, made }, tally) {
    const left = await removeTrial(place, stage)
    made.left = left
    await tally.check('Nothing remains but keys that KMS will delete, and CDKToolkit', () =>
      assert.deepEqual(faultsOf(left), []),
    )
    return undefined
  },
}
