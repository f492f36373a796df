/** The keys of a rotation: from the one to the other. */
export type KeyName = 'a' | 'b'

/** A step of a key rotation: a deploy, and what holds from then on. */
export interface Step {
  /** The keys that are accepted, the first of which signs. */
  keys: readonly [KeyName, ...KeyName[]]
  /** How long after the end of the deploy before it this one begins. */
  afterSeconds: number
}

/** A token is signed by somebody at one step, and verified by somebody at one. */
export interface Meeting {
  signing: Step
  verifying: Step
}

/** The longest that a deploy takes, from the first function that it updates to the last. */
const deploySeconds = 15 * 60

/** When there are functions at a step, in seconds since the rotation began. */
interface Span {
  step: Step
  from: number
  until: number
}

/**
 * When there are functions at each step. While a deploy is under way there are some at its step and some
 * at the one before: which ones, nobody knows. The first step has been there for ever.
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
 * Who can meet in a rotation: the steps at which a token can have been signed and then, at that age, be
 * verified. Who verifies may go by what a function has told up to `staleSeconds` ago.
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
