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
  const cards = new Map<string, number>()
  for (const nft of nfts) cards.set(idOf(nft), (cards.get(idOf(nft)) ?? 0) + 1)
  return (
    <>
      <ul class="try-cards">
        {nfts.slice(0, shown).map((nft) => (
          <NftCard
            key={`${idOf(nft)} ${nft.owner}`}
            nft={nft}
            isInSeveralWallets={(cards.get(idOf(nft)) ?? 0) > 1}
          />
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

const idOf = ({ chain, address, tokenId }: StructuredNft) => `${chain} ${address} ${tokenId}`

/** A card for each wallet that has the NFT. */
function NftCard({ nft, isInSeveralWallets }: { nft: StructuredNft; isInSeveralWallets: boolean }) {
  const { tokenId, address, chain, owner, balance, metadataError, formattedMetadata } = nft
  const name = formattedMetadata.name.trim() || 'No name'
  return (
    <li class="try-card">
      <NftPicture image={formattedMetadata.image} name={name} />
      <h3 class="try-card-name strong two-lines">
        <ForeignText text={name} max={200} />
      </h3>
      <p class="line hint">
        <span class="mono one-line">{tokenId}</span>
        {balance !== '1' && <span class="badge">× {balance}</span>}
      </p>
      <p class="line hint" title={address}>
        {chain} <Short address={address} />
      </p>
      {isInSeveralWallets && (
        <p class="line hint" title={owner}>
          in wallet <Short address={owner} />
        </p>
      )}
      {metadataError && <span class="badge is-warning">{metadataError}</span>}
    </li>
  )
}

const Short = ({ address }: { address: string }) => (
  <span class="mono one-line">{`${address.slice(0, 6)}…${address.slice(-4)}`}</span>
)
