import { useState } from 'preact/hooks'
import type { StructuredNft } from '../../../clients/typescript/src/types.ts'
import { Button } from '../../components/button.tsx'
import { ForeignText } from '../../components/foreign-text.tsx'
import { NftPicture } from '../../components/nft-picture.tsx'

/** Cards are cheap to add and dear to render, so a long answer begins with these. */
const step = 60

/** The NFTs of a structured answer with their pictures. */
export function NftCards({ nfts }: { nfts: readonly StructuredNft[] }) {
  const [shown, setShown] = useState(step)
  return (
    <>
      <ul class="try-cards">
        {nfts.slice(0, shown).map((nft) => (
          <NftCard key={`${nft.chain} ${nft.address} ${nft.tokenId} ${nft.owner}`} nft={nft} />
        ))}
      </ul>
      {nfts.length > shown && (
        <div class="actions">
          <Button onClick={() => setShown(shown + step)}>
            {`Show ${Math.min(step, nfts.length - shown)} more of ${nfts.length.toLocaleString('en')}`}
          </Button>
        </div>
      )}
    </>
  )
}

function NftCard({ nft }: { nft: StructuredNft }) {
  const { tokenId, address, chain, balance, metadataError, formattedMetadata } = nft
  const name = formattedMetadata.name.trim() || 'No name'
  return (
    <li class="try-card">
      <NftPicture image={formattedMetadata.image} name={name} />
      <h3 class="try-card-name">
        <ForeignText text={name} max={200} />
      </h3>
      <p class="try-card-facts">
        <span class="mono">{tokenId}</span>
        {balance !== '1' && <span class="badge">× {balance}</span>}
      </p>
      <p class="try-card-facts" title={address}>
        {chain} <span class="mono">{`${address.slice(0, 6)}…${address.slice(-4)}`}</span>
      </p>
      {metadataError && <span class="badge is-warning">{metadataError}</span>}
    </li>
  )
}
