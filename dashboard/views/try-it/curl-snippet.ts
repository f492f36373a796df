import { type Call, urlOf } from './call.ts'
import { shellLiteral } from './literals.ts'

/**
 * The call as commands for a POSIX shell, which print each page in a line. The credentials are variables of the environment.
 * The metadata of strangers can contain a `nextCursor` too, but not after the last bracket.
 */
export function curlSnippet(call: Call): string {
  const header = (name: string, variable: string) => `    -H "${name}: \${${variable}:?is not set}"`
  const page = [
    `  PAGE=$(curl -sS -G ${shellLiteral(urlOf(call))}`,
    '    --data-urlencode "cursor=$CURSOR"',
    ...(call.caller === 'server' ? [header('X-Api-Key', 'API_KEY')] : []),
    header('X-Player-Token', 'PLAYER_TOKEN'),
  ].join(' \\\n')
  return String.raw`CURSOR=
while :; do
${page}) || break
  printf '%s\n' "$PAGE"
  # A page can be short or empty: only a missing nextCursor means the end.
  CURSOR=$(printf '%s\n' "$PAGE" | sed -n 's/.*"nextCursor":"\([^"]*\)"[^]}]*}$/\1/p')
  [ "$CURSOR" ] || break
done`
}
