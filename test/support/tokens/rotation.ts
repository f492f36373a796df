/** The keys of a rotation, from key a to key b. */
export type KeyName = 'a' | 'b'

/** A step of a key rotation: a deployment and its keys. */
export interface Step {
  /** The accepted keys. The first key signs. */
  keys: readonly [KeyName, ...KeyName[]]
  /** The time between the end of the previous deployment and the start of this one, in seconds. */
  afterSeconds: number
}

/** A token is signed by a function at one step, and verified at another or the same step. */
interface Meeting {
  signing: Step
  verifying: Step
}

/** The maximum time of a deployment, from the first updated function to the last. */
const deploySeconds = 15 * 60

/** The time in which functions of a step run, in seconds since the start of the rotation. */
interface Span {
  step: Step
  from: number
  until: number
}

/**
 * The time in which functions of each step run. During a deployment, any function may be at its step or
 * at the previous step. Functions of the first step have always run.
 */
function spansOf(rotation: readonly Step[]): Span[] {
  let ended = 0
  const deploys = rotation.slice(1).map(({ afterSeconds }) => {
    const begins = ended + afterSeconds
    ended = begins + deploySeconds
    return { begins, ends: ended }
  })
  return rotation.map((step, index) => ({
    step,
    from: deploys[index - 1]?.begins ?? Number.NEGATIVE_INFINITY,
    until: deploys[index]?.ends ?? Number.POSITIVE_INFINITY,
  }))
}

/**
 * The possible combinations in a rotation: the steps at which a token of this age can have been signed and
 * verified. A verifier may use the response of a function for up to `staleSeconds`.
 */
export function meetings(
  rotation: readonly Step[],
  ageSeconds: number,
  staleSeconds = 0,
): Meeting[] {
  const spans = spansOf(rotation)
  return spans.flatMap((signed) =>
    spans.flatMap((verified) => {
      const earliest = signed.from + ageSeconds
      const latest = signed.until + ageSeconds
      const canMeet = earliest <= verified.until + staleSeconds && verified.from <= latest
      return canMeet ? [{ signing: signed.step, verifying: verified.step }] : []
    }),
  )
}
