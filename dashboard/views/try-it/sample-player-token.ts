/**
 * Gets a player token of a sample player. Only the local stack gives them out, in place of the platform's login.
 * @throws {Error} if the local stack does not answer, or does not know the player.
 */
export async function samplePlayerToken(player: string, signal: AbortSignal): Promise<string> {
  const path = `/sample-players/${encodeURIComponent(player)}/token`
  const response = await fetch(path, { method: 'POST', signal })
  if (!response.ok)
    throw new Error(`The local stack gave no player token: HTTP ${response.status}.`)
  const { playerToken } = (await response.json()) as { playerToken: string }
  return playerToken
}
