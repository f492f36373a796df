import type { CheckedProperties, KeyList } from './checked-properties.ts'
import { deployedKeys } from './keys.ts'

/**
 * A sentence for each kind of token whose keys an update changes so that valid tokens would be rejected: if all keys are
 * dropped at once (D43), and, where KMS signs, if the first key is not accepted yet or the key that signs now is
 * dropped (D75). `before` is undefined in the first deployment with the checks, which only drops keys. `dropAllKeys`
 * permits all of it, unless it was set in the deployment before too.
 */
export async function changedKeyFaults(
  before: CheckedProperties | undefined,
  after: CheckedProperties,
): Promise<string[]> {
  const wasSet = before?.DropAllKeys === 'true'
  if (after.DropAllKeys === 'true' && !wasSet) return []
  const permit =
    after.DropAllKeys === 'true'
      ? '"dropAllKeys": true was set in the deployment before too, and holds for one deployment: deploy once without it and without this change, then with both.'
      : 'If it is meant, for example after a leak, set "dropAllKeys": true for this one deployment.'
  const faults = await Promise.all(after.Keys.map((list) => faultOf(before, list)))
  return faults.flatMap((fault) => (fault === undefined ? [] : [`${fault} ${permit}`]))
}

async function faultOf(
  before: CheckedProperties | undefined,
  list: KeyList,
): Promise<string | undefined> {
  const old = before ? before.Keys.find(({ Purpose }) => Purpose === list.Purpose) : undefined
  const accepted = before ? (old?.Accepted ?? []) : await deployedKeys(list.Alias, list.Accepted)
  const areKnown = accepted.length > 0 && list.Accepted.length > 0
  if (!areKnown) return undefined
  if (!accepted.some((key) => list.Accepted.includes(key))) return allDropped(list, accepted, old)
  return old && orderFault(old, list)
}

const allDropped = ({ Purpose }: KeyList, accepted: readonly string[], old: KeyList | undefined) =>
  `This deployment accepts none of the keys of ${Purpose} that are accepted now (${accepted.map((key) => shown(key, old)).join(', ')}), so that every token would be rejected at once. Keep a key in the settings as docs/changes.md#rotating-a-key describes.`

/** Only KMS signs with the first key of the list. A login with public keys signs with whichever it wants. */
function orderFault(before: KeyList, after: KeyList): string | undefined {
  if (![...before.Accepted, ...after.Accepted].every((key) => key.startsWith('arn:'))) return
  const [signing = ''] = before.Accepted
  const [next = ''] = after.Accepted
  const faults = [
    ...(before.Accepted.includes(next)
      ? []
      : [
          `${shown(next, after)} is first and would sign ${after.Purpose}, but is not accepted yet`,
        ]),
    ...(after.Accepted.includes(signing)
      ? []
      : [`${shown(signing, before)}, which signs ${after.Purpose} now, is missing`]),
  ]
  if (faults.length === 0) return undefined
  const accepted = before.Accepted.map((key) => shown(key, before)).join(', ')
  return `${after.Setting ?? `The keys of ${after.Purpose}`}: ${faults.join(', and ')}. The keys that are accepted now: ${accepted}; the first of them signs. Correct the names, or take the steps of docs/changes.md#rotating-a-key.`
}

/** The name of a key in the settings, or what identifies it in the versions that did not pass names on. */
function shown(key: string, list: KeyList | undefined): string {
  const name = list?.Names?.[list.Accepted.indexOf(key)]
  // Public keys are long, and CloudFormation limits the length of a reason.
  return name === undefined ? (key.length > 100 ? `${key.slice(0, 40)}…` : key) : `"${name}"`
}
