import type { Subject, Subjects } from '../subjects/bundles.ts'

/** The two services that are compared. */
export type Peer = 'ours' | 'naive'

export const peers = ['ours', 'naive'] as const

/** A function of a peer by name. */
export function subjectOf(subjects: Pick<Subjects, Peer>, peer: Peer, name: string): Subject {
  const subject = subjects[peer][name]
  if (!subject) throw new Error(`${peer} has no function ${name}`)
  return subject
}
