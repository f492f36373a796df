import { randomInt } from 'node:crypto'

const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'
const randomLetters = 6

/** A name that no other trial has: `trial-` and six random characters. */
export const newStage = (): string =>
  `trial-${Array.from({ length: randomLetters }, () => letters[randomInt(letters.length)]).join('')}`

/** Whether a text is the stage of a trial. Only what has such a name is ever removed. */
export const isTrialStage = (text: string): boolean => /^trial-[a-z0-9]{6}$/.test(text)

/** The names of the two stacks of a stage: the service and the sample indexer. */
export const stacksOf = (stage: string) =>
  ({ service: `PlayerNfts-${stage}`, indexer: `PlayerNfts-${stage}-indexer` }) as const

/** The stack with which `cdk bootstrap` prepares an account. */
export const bootstrapStack = 'CDKToolkit'
