import * as balances from './balances.ts'
import * as following from './following.ts'
import * as indexer from './indexer.ts'
import * as keeping from './keeping.ts'
import * as limits from './limits.ts'
import * as logins from './logins.ts'
import * as playerTokens from './player-tokens.ts'
import * as resources from './resources.ts'
import type { SettingTable } from './setting.ts'
import * as signIn from './sign-in.ts'
import * as signInLimits from './sign-in-limits.ts'
import * as userJwts from './user-jwts.ts'
import * as webhooks from './webhooks.ts'

/** A file of settings has rows, under the names of their environment variables, and the parts that read them. */
type RowsOf<Subject> = {
  [Name in keyof Subject as Name extends Uppercase<Name & string> ? Name : never]: Subject[Name]
}

const rowsOf = <Subject extends object>(subject: Subject) =>
  // The type of Object.fromEntries has no names.
  Object.fromEntries(
    Object.entries(subject)
      .filter(([name]) => name === name.toUpperCase())
      // Tools that transform modules list the names of a module in another order than Node does.
      .sort(([name], [other]) => (name < other ? -1 : 1)),
  ) as RowsOf<Subject>

/**
 * All settings of the functions, for the deployment, `npm start` and docs/settings.md. No function imports this table.
 */
export const functionSettings = {
  ...rowsOf(resources),
  ...rowsOf(playerTokens),
  ...rowsOf(userJwts),
  ...rowsOf(logins),
  ...rowsOf(indexer),
  ...rowsOf(balances),
  ...rowsOf(following),
  ...rowsOf(keeping),
  ...rowsOf(limits),
  ...rowsOf(signIn),
  ...rowsOf(signInLimits),
  ...rowsOf(webhooks),
} satisfies SettingTable

/** The name of an environment variable of the functions. */
export type VariableName = keyof typeof functionSettings
