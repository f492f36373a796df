import type { Session } from '../sign-in/session.ts'

/** The sessions of users on the page of the deployment (D100). */
export interface Sessions {
  /** Begins a session. Returns its text, which has 256 random bits and is stored nowhere. */
  begin(session: Session): Promise<string>
  /** The session of a text; `undefined` if there is none, or if it has ended. `now`: milliseconds since 1970. */
  get(text: string, now: number): Promise<Session | undefined>
  /** Ends all sessions of a user or, with `wallet`, those that it has begun. Safe to repeat. */
  endAll(userId: number, wallet?: Session['wallet']): Promise<void>
}
