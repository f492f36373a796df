import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { DescribedNft } from '../../../clients/typescript/src/types.ts'
import { ForeignText } from '../../components/foreign-text.tsx'
import { NftPicture } from '../../components/nft-picture.tsx'
import { VirtualList } from '../../components/virtual-list.tsx'

/** The least width of a card, the space between cards, and the heights of the text of a card and of a row, in pixels. */
const cardWidth = 150
const gap = 16
const cardText = 92
const rowHeight = 72

interface Shown {
  nfts: readonly DescribedNft[]
  selected: ReadonlySet<string>
  onSelect: (tokenId: string, isSelected: boolean) => void
  hrefOf: (tokenId: string) => string
}

/** NFTs with pictures and names. Only those that are visible are rendered. */
export function NftGallery({
  view,
  onNearEnd,
  ...shown
}: Shown & { view: 'gallery' | 'list'; onNearEnd: () => void }) {
  const frame = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  const columns = view === 'list' ? 1 : Math.max(1, Math.floor((width + gap) / (cardWidth + gap)))
  const height =
    view === 'list' ? rowHeight : (width - (columns - 1) * gap) / columns + cardText + gap
  const { nfts } = shown
  useLayoutEffect(() => {
    const { current } = frame
    if (!current) return
    const measure = () => setWidth(Math.floor(current.getBoundingClientRect().width))
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    measure()
    return () => observer.disconnect()
  }, [])
  return (
    <div ref={frame} class={`nfts is-${view}`}>
      {width > 0 && (
        <VirtualList
          count={Math.ceil(nfts.length / columns)}
          rowHeight={Math.ceil(height)}
          label="NFTs"
          onNearEnd={onNearEnd}
          renderRow={(row) => (
            <div
              class="nft-row"
              style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}
            >
              {nfts.slice(row * columns, (row + 1) * columns).map((nft) => (
                <NftCard key={nft.tokenId} nft={nft} {...shown} />
              ))}
            </div>
          )}
        />
      )}
    </div>
  )
}

function NftCard({ nft, selected, onSelect, hrefOf }: Shown & { nft: DescribedNft }) {
  const { tokenId, formattedMetadata, metadataError } = nft
  const name = nameOf(nft)
  return (
    <article class={`nft-card${selected.has(tokenId) ? ' is-selected' : ''}`}>
      <NftPicture image={formattedMetadata.image} name={name} />
      <div class="nft-card-text">
        <a
          class="nft-name strong two-lines"
          href={hrefOf(tokenId)}
          aria-label={`${name.slice(0, 200)}, ${tokenId}`}
        >
          <ForeignText text={name} max={200} />
        </a>
        <span class="nft-id one-line mono hint" title={tokenId}>
          {tokenId}
        </span>
        {metadataError && <span class="badge is-warning">no metadata</span>}
      </div>
      <label class="nft-select">
        <input
          type="checkbox"
          checked={selected.has(tokenId)}
          onChange={(event) => onSelect(tokenId, event.currentTarget.checked)}
        />
        <span class="visually-hidden">Select {tokenId}</span>
      </label>
    </article>
  )
}

/** The name of an NFT, or words in its place if it has no visible character. */
export const nameOf = ({ formattedMetadata: { name } }: DescribedNft): string =>
  /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) ? name.trim() : 'No name'
