import { useEffect, useState } from 'preact/hooks'
import type { ConnectedContract } from '../../../clients/typescript/src/types.ts'
import { parseTokenId } from '../../../lib/domain/allowlist/token-id.ts'
import { Button, CopyButton } from '../../components/button.tsx'
import { ForeignText, shortened } from '../../components/foreign-text.tsx'
import { Icon } from '../../components/icon.tsx'
import { Menu } from '../../components/menu.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import { Day } from '../../components/time.tsx'
import { announce } from '../../shell/announcer.tsx'
import { capitalized } from '../../shell/counted.ts'
import { navigate, setQuery, useQuery } from '../../shell/location.ts'
import { contractPath } from '../../shell/page-paths.ts'
import { nftsOf, ownershipSentence, rangesOf } from './contract-words.ts'
import { NftBrowser } from './nft-browser.tsx'
import { NftDialog } from './nft-dialog.tsx'
import { useNftPages } from './nft-pages.ts'
import { RefreshDialog } from './refresh-dialog.tsx'
import { RemoveContractDialog, RemoveDialog } from './remove-dialog.tsx'
import type { Sending } from './sending.ts'
import { SendingProgress } from './sending-progress.tsx'
import type { Contracts } from './use-contracts.ts'

type Open =
  | { kind: 'remove'; elements: readonly string[] | undefined }
  | { kind: 'removeContract' }
  | { kind: 'refresh' }

/** The allowlisted NFTs of a connected contract, with everything that can be done with them. */
export function ContractNfts({
  contract,
  contracts,
  sendings,
}: {
  contract: ConnectedContract
  contracts: Contracts
  sendings: readonly Sending[]
}) {
  const { chain, address } = contract
  const query = useQuery()
  const tokenId = query.get('token')
  const pages = useNftPages(chain, address, parseTokenId(query.get('from') ?? ''))
  const [open, setOpen] = useState<Open>()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  useReloadWhenDone(sendings, () => {
    contracts.reload()
    void pages.reload()
  })
  const removed = (elements: readonly string[]) => {
    setOpen(undefined)
    setSelected(new Set())
    const tokenIds = new Set(elements)
    pages.remove((nft) => tokenIds.has(nft.tokenId))
    contracts.reload()
  }
  return (
    <>
      <Heading contract={contract} onOpen={setOpen} />
      <div class="stack">
        {sendings.map((sending) => (
          <SendingProgress key={sending.id} sending={sending} />
        ))}
        <NftBrowser
          pages={pages}
          selected={selected}
          onSelected={setSelected}
          onRemove={(elements) => setOpen({ kind: 'remove', elements })}
        />
      </div>
      {tokenId !== null && open === undefined && (
        <NftDialog
          contract={contract}
          tokenId={tokenId}
          loaded={pages.state.entries.find((nft) => nft.tokenId === tokenId)}
          onClose={() => setQuery({ token: undefined })}
          onRemove={(element) => setOpen({ kind: 'remove', elements: [element] })}
        />
      )}
      {open?.kind === 'remove' && (
        <RemoveDialog
          contract={contract}
          elements={open.elements}
          onClose={() => setOpen(undefined)}
          onSent={(elements) => {
            removed(elements)
            if (tokenId !== null) setQuery({ token: undefined }, { replace: true })
          }}
        />
      )}
      {open?.kind === 'removeContract' && (
        <RemoveContractDialog
          contract={contract}
          size={sizeOf(contract)}
          onClose={() => setOpen(undefined)}
          onRemoved={() => {
            announce('The contract was removed.')
            navigate('/nfts', { replace: true })
          }}
        />
      )}
      {open?.kind === 'refresh' && (
        <RefreshDialog contract={contract} pages={pages} onClose={() => setOpen(undefined)} />
      )}
    </>
  )
}

const sizeOf = (contract: ConnectedContract): string => {
  const size = nftsOf(contract)
  const ranges = contract.ranges?.includes('*') ? '' : rangesOf(contract)
  return ranges
    ? `${size}, with the ${contract.ranges?.length === 1 ? 'range' : 'ranges'} ${ranges}`
    : size
}

function Heading({
  contract,
  onOpen,
}: {
  contract: ConnectedContract
  onOpen: (open: Open) => void
}) {
  const { chain, address, description, connectedAt, ownership } = contract
  return (
    <>
      <p class="crumbs small">
        <a href="/nfts">NFTs</a>
      </p>
      <PageHeading
        title={shortened(description, maxTitle)}
        actions={
          <>
            <a class="button is-primary" href={`${contractPath(chain, address)}?add=1`}>
              <Icon name="plus" />
              Add NFTs
            </a>
            <Button onClick={() => onOpen({ kind: 'refresh' })}>Refresh…</Button>
            <Menu
              label="More"
              items={[
                {
                  label: 'Remove a list…',
                  onChoose: () => onOpen({ kind: 'remove', elements: undefined }),
                },
                {
                  label: 'Remove the contract…',
                  isDanger: true,
                  onChoose: () => onOpen({ kind: 'removeContract' }),
                },
              ]}
            />
          </>
        }
      >
        <span class="with-copy cluster">
          <span class="badge">{chain}</span> <span class="mono">{address}</span>
          <CopyButton text={address} what="the contract address" />
        </span>
        <span>
          {capitalized(sizeOf(contract))} on the allowlist, connected on <Day time={connectedAt} />
        </span>
        {ownership && <span class="contract-description">{ownershipSentence(ownership)}</span>}
        {description.length > maxTitle && (
          <span class="contract-description">
            <ForeignText text={description} max={2_000} />
          </span>
        )}
      </PageHeading>
    </>
  )
}

/** The maximum length of a description as the title of the page, in UTF-16 units. */
const maxTitle = 120

/** Calls `reload` when one of the lists was sent to its end. */
function useReloadWhenDone(sendings: readonly Sending[], reload: () => void): void {
  const done = sendings.filter(({ status }) => status === 'done').map(({ id }) => id)
  const [seen, setSeen] = useState(() => new Set(done))
  const isNew = done.some((id) => !seen.has(id))
  // Only a list that has ended since then.
  useEffect(() => {
    if (!isNew) return
    setSeen(new Set(done))
    reload()
  }, [isNew])
}
