import { CopyButton } from '../../components/copy-button.tsx'
import { DashboardError } from '../../shell/dashboard-error.ts'

/** Copies a player token of a sample player, with which commands and game servers try the call. */
export const CopyPlayerToken = ({ player }: { player: string }) => (
  <CopyButton text={() => samplePlayerToken(player)} what="the player token" isLabelled />
)

/** How a sample player gets one more NFT, which the answer then has. */
export function MintHint({ player }: { player: string }) {
  const command = `npm run --silent mint -- --to ${player}`
  return (
    <p class="soft">
      Mint one more NFT in a terminal, and press Refresh:
      <span class="with-copy">
        <code>{command}</code>
        <CopyButton text={command} what="the command" />
      </span>
    </p>
  )
}

/**
 * Gets a player token of a sample player. Only the local stack gives them out, in place of the platform's login.
 * @throws {DashboardError} if the local stack does not answer, or does not know the player.
 */
export async function samplePlayerToken(player: string, signal?: AbortSignal): Promise<string> {
  const path = `/sample-players/${encodeURIComponent(player)}/token`
  const response = await fetch(path, { method: 'POST', ...(signal && { signal }) })
  if (!response.ok) {
    throw new DashboardError(
      'The sample player got no player token.',
      'Check that npm start is still running, and try again.',
    )
  }
  const { playerToken } = (await response.json()) as { playerToken: string }
  return playerToken
}
