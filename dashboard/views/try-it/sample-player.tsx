import { CopyButton } from '../../components/button.tsx'
import { DashboardError } from '../../shell/describe-error.ts'
import { useShell } from '../../shell/shell-context.ts'
import { useContracts } from '../nfts/use-contracts.ts'

/** How a sample player gets one more NFT, which the answer then has: a lantern, if the game has every lantern. */
export function MintHint({ player }: { player: string }) {
  const { sampleCollections = [] } = useShell().config
  const { list, isLoading, error } = useContracts()
  const lanterns = sampleCollections.find(({ name }) => name.endsWith('Lanterns'))
  if (!lanterns || isLoading || error !== undefined) return null
  const { chain, address, name } = lanterns
  const hasLanterns = list.some(
    (each) => each.chain === chain && each.address === address && each.ranges?.includes('*'),
  )
  const command = `npm run --silent mint -- --to ${player}`
  return (
    <p class="soft">
      {!hasLanterns && (
        <>
          Add <a href={`/nfts?${new URLSearchParams({ add: '1', chain, address })}`}>{name}</a> to
          the allowlist of your game.{' '}
        </>
      )}
      Mint one more NFT in a terminal, and press Refresh:
      <span class="with-copy cluster">
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
