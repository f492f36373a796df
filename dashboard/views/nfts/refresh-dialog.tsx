import { useState } from 'preact/hooks'
import type { ConnectedContract, DescribedNft } from '../../../clients/typescript/src/types.ts'
import { Progress } from '../../components/feedback.tsx'
import { FormDialog, useForm } from '../../components/form.tsx'
import { useClient } from '../../shell/shell-context.ts'
import type { NftPages } from './nft-pages.ts'
import { type Refreshed, RefreshReportView } from './refresh-report.tsx'

/** Fetches the metadata of a contract again, and shows what has changed. */
export function RefreshDialog({
  contract,
  pages,
  onClose,
}: {
  contract: ConnectedContract
  pages: NftPages
  onClose: () => void
}) {
  const client = useClient()
  const [result, setResult] = useState<Refreshed>()
  const { chain, address } = contract
  const refresh = useForm(async (signal) => {
    const before = byTokenId(pages.state.nfts)
    const call = client.refreshMetadata({ smartContract: address, chain }, { signal })
    const { data: report, headers } = await call.withResponse()
    const changed = new Set(report.tokens.map(({ tokenId }) => tokenId))
    const reread = changed.size > 0 ? await pages.reread(changed, signal) : []
    const isEarlier = isBefore(report.refreshedAt, headers.get('date'))
    setResult({ report, isEarlier, before, after: byTokenId(reread) })
  })
  return (
    <FormDialog
      title="Refresh metadata"
      action={result ? undefined : 'Refresh now'}
      form={refresh}
      layout="stack is-tight"
      isWide={result !== undefined}
      onClose={onClose}
    >
      {result ? (
        <RefreshReportView {...result} />
      ) : (
        <p>
          The metadata of every NFT on this contract's allowlist is fetched from its source again.
          Large allowlists continue in the background. A contract is refreshed at most once in 15
          minutes, and a refresh counts for the indexer calls of your game.
        </p>
      )}
      {refresh.isRunning && <Progress label="Fetching metadata. This can take 20 seconds…" />}
    </FormDialog>
  )
}

const byTokenId = (nfts: readonly DescribedNft[]): Map<string, DescribedNft> =>
  new Map(nfts.map((nft) => [nft.tokenId, nft]))

/** A refresh of this request ends at most 30 seconds before its response. */
const longestRequest = 35_000

/** Whether a refresh was made by an earlier request than that of a response, by the clock of the service. */
function isBefore(refreshedAt: string, date: string | null): boolean {
  const now = date === null ? Date.now() : Date.parse(date)
  return now - Date.parse(refreshedAt) > longestRequest
}
