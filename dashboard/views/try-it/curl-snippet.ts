import { type Call, urlOf } from './call.ts'
import { shellLiteral } from './literals.ts'

/** The call as a command for a POSIX shell. The credentials are variables of the environment. */
export function curlSnippet(call: Call): string {
  const header = (name: string, variable: string) => `  -H "${name}: \${${variable}:?is not set}"`
  return [
    `curl -w '\\n' -sS ${shellLiteral(urlOf(call))}`,
    ...(call.caller === 'server' ? [header('X-Api-Key', 'API_KEY')] : []),
    header('X-Player-Token', 'PLAYER_TOKEN'),
  ].join(' \\\n')
}
