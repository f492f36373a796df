import { useState } from 'preact/hooks'
import { parseTokenId } from '../../../lib/domain/allowlist/token-id.ts'
import { Button } from '../../components/button.tsx'
import { EmptyState, LoadState, Notice } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Segments } from '../../components/segments.tsx'
import { counted } from '../../shell/counted.ts'
import { setQuery, useQuery } from '../../shell/location.ts'
import { NftGallery, nameOf } from './nft-gallery.tsx'
import type { NftPages } from './nft-pages.ts'

interface NftBrowserProps {
  pages: NftPages
  selected: ReadonlySet<string>
  onSelected: (selected: ReadonlySet<string>) => void
  onRemove: (tokenIds: readonly string[]) => void
}

/** The NFTs of a contract with a search, as a gallery or as a list, and the actions on those that are selected. */
export function NftBrowser({ pages, selected, onSelected, onRemove }: NftBrowserProps) {
  const query = useQuery()
  const view = query.get('view') === 'list' ? 'list' : 'gallery'
  const from = query.get('from')
  const [search, setSearch] = useState('')
  const words = search.trim().toLowerCase()
  const { entries: nfts, error, isLoading, isComplete, hasRestarted } = pages.state
  const shown =
    words === ''
      ? nfts
      : nfts.filter((nft) => nameOf(nft).toLowerCase().includes(words) || nft.tokenId === words)
  const select = (tokenId: string, isSelected: boolean) => {
    const changed = new Set(selected)
    if (isSelected) changed.add(tokenId)
    else changed.delete(tokenId)
    onSelected(changed)
  }
  return (
    <section class="stack is-tight" aria-label="NFTs of this contract">
      <div class="nft-tools spread">
        <Search search={search} onSearch={setSearch} />
        <Segments
          label="View"
          value={view}
          options={views}
          onValue={(value) =>
            setQuery({ view: value === 'list' ? value : undefined }, { replace: true })
          }
        />
      </div>
      {from !== null && (
        <p class="soft">
          From identifier <span class="mono foreign">{from.slice(0, 100)}</span> on.{' '}
          <button type="button" class="link bare" onClick={() => setQuery({ from: undefined })}>
            Show all
          </button>
        </p>
      )}
      {words !== '' && (
        <Found
          pages={pages}
          found={shown.length}
          isIdentifier={parseTokenId(words) !== undefined}
        />
      )}
      {hasRestarted && (
        <Notice kind="info" title="The list had changed, so it begins again from the top." />
      )}
      {selected.size > 0 && (
        <div class="selection cluster" role="status">
          <span>{counted(selected.size, 'NFT')} selected</span>
          <Button kind="danger" onClick={() => onRemove([...selected])}>
            Remove…
          </Button>
          <Button kind="quiet" onClick={() => onSelected(new Set())}>
            Clear selection
          </Button>
        </div>
      )}
      <NftGallery
        view={view}
        nfts={shown}
        selected={selected}
        onSelect={select}
        hrefOf={(tokenId) => hrefWith(query, tokenId)}
        onNearEnd={() => {
          if (words === '') void pages.loadMore()
        }}
      />
      <LoadState
        loaded={{ error, isLoading, reload: () => void pages.retry() }}
        label="Loading NFTs…"
      />
      {isComplete && nfts.length === 0 && <NoNfts isPart={from !== null} />}
    </section>
  )
}

function hrefWith(query: URLSearchParams, tokenId: string): string {
  const changed = new URLSearchParams(query)
  changed.set('token', tokenId)
  return `${location.pathname}?${changed}`
}

function Search({ search, onSearch }: { search: string; onSearch: (text: string) => void }) {
  const tokenId = parseTokenId(search.trim())
  return (
    <Form
      layout="nft-search cluster"
      onSubmit={() => {
        if (tokenId === undefined) return
        onSearch('')
        setQuery({ from: tokenId })
      }}
    >
      <TextField
        label="Search"
        type="search"
        placeholder="Search name or identifier"
        value={search}
        onValue={onSearch}
      />
      {tokenId !== undefined && (
        <Button type="submit">
          Go to <span class="mono nft-search-id one-line">{tokenId}</span>
        </Button>
      )}
    </Form>
  )
}

const views = [
  { value: 'gallery', label: 'Gallery' },
  { value: 'list', label: 'List' },
] as const

/** Names are searched among the NFTs that are loaded: the API has no search by name. */
const Found = ({
  pages,
  found,
  isIdentifier,
}: {
  pages: NftPages
  found: number
  /** Then the button beside the search leads to the NFT, loaded or not. */
  isIdentifier: boolean
}) => (
  <p class="soft" role="status">
    {found.toLocaleString('en-US')} of the {counted(pages.state.entries.length, 'NFT')} that are
    loaded.{' '}
    {!isIdentifier && !pages.state.isComplete && !pages.state.isLoading && (
      <button type="button" class="link bare" onClick={() => void pages.loadMore()}>
        Load 100 more
      </button>
    )}
  </p>
)

const NoNfts = ({ isPart }: { isPart: boolean }) =>
  isPart ? (
    <EmptyState title="No NFTs from this identifier on" />
  ) : (
    <EmptyState title="No NFTs on this allowlist">
      The contract is connected, but no NFT of it is on the allowlist, or none that the list names
      is known yet. If you expected some, check the address and the chain.
    </EmptyState>
  )
