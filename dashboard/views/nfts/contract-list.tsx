import { useState } from 'preact/hooks'
import type { ConnectedContract } from '../../../clients/typescript/src/types.ts'
import { TextField } from '../../components/field.tsx'
import { ForeignText } from '../../components/foreign-text.tsx'
import { Icon } from '../../components/icon.tsx'
import { Day } from '../../components/time.tsx'
import { VirtualList } from '../../components/virtual-list.tsx'
import { capitalized } from '../../shell/counted.ts'
import { setQuery } from '../../shell/location.ts'
import { contractPath } from '../../shell/page-paths.ts'
import { useLoad } from '../../shell/use-load.ts'
import type { ReadPictures } from './contract-pictures.ts'
import { nftsOf, ownershipSentence, rangesOf } from './contract-words.ts'

/** The number of contracts from which a search helps. */
const searchFrom = 6

/** The height of a contract in the list, in pixels, and that of the line that says whether it is kept. */
const [rowHeight, ownershipHeight] = [88, 24]

export function ContractList({
  list,
  pictures,
  search,
}: {
  list: readonly ConnectedContract[]
  pictures: ReadPictures
  search: string
}) {
  const found = list.filter((contract) => matches(contract, search))
  const hasOwnership = list.some(({ ownership }) => ownership)
  return (
    <div class="stack is-tight">
      {(list.length >= searchFrom || search !== '') && (
        <TextField
          label="Search"
          type="search"
          placeholder="Search contracts"
          value={search}
          onValue={(text) => setQuery({ search: text }, { replace: true })}
        />
      )}
      {search !== '' && (
        <p role="status" class="soft">
          {found.length} of {list.length} contracts
        </p>
      )}
      <VirtualList
        count={found.length}
        rowHeight={hasOwnership ? rowHeight + ownershipHeight : rowHeight}
        label="Contracts"
        renderRow={(index) => {
          const contract = found[index] as ConnectedContract
          return (
            <ContractRow
              key={contractPath(contract.chain, contract.address)}
              contract={contract}
              pictures={pictures}
            />
          )
        }}
      />
    </div>
  )
}

function matches({ chain, address, description }: ConnectedContract, search: string): boolean {
  const text = `${chain} ${address} ${description}`.toLowerCase()
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function ContractRow({
  contract,
  pictures,
}: {
  contract: ConnectedContract
  pictures: ReadPictures
}) {
  const { chain, address, description, connectedAt, ranges, ownership } = contract
  const { data: urls = [] } = useLoad(
    (signal) => pictures(contract, signal),
    [pictures, chain, address],
  )
  return (
    <a class="contract-row" href={contractPath(chain, address)}>
      <Pictures urls={urls} />
      <span class="contract-main">
        <span class="contract-name strong one-line">
          <ForeignText text={description} />
        </span>
        <span class="line small">
          <span class="badge">{chain}</span>
          <span class="mono soft one-line">{address}</span>
        </span>
        {ownership && <span class="hint one-line">{ownershipSentence(ownership)}</span>}
      </span>
      <span class="contract-facts small">
        <span>{capitalized(nftsOf(contract))}</span>
        <span class="soft">
          {ranges && !ranges.includes('*') ? (
            <span class="mono contract-ranges one-line">{rangesOf(contract, 2)}</span>
          ) : (
            <>
              since <Day time={connectedAt} />
            </>
          )}
        </span>
      </span>
      <Icon name="chevron" />
    </a>
  )
}

/** The pictures of the first NFTs of a contract, one behind the other. What they show, the text beside them says. */
function Pictures({ urls }: { urls: readonly string[] }) {
  const [failed, setFailed] = useState<readonly string[]>([])
  const shown = urls.filter((url) => !failed.includes(url))
  return (
    <span class="contract-pictures">
      {shown.length === 0 && (
        <span class="contract-picture">
          <Icon name="nfts" />
        </span>
      )}
      {shown.map((url) => (
        <img
          key={url}
          class="contract-picture"
          src={url}
          alt=""
          loading="lazy"
          decoding="async"
          referrerpolicy="no-referrer"
          onError={() => setFailed((before) => [...before, url])}
        />
      ))}
    </span>
  )
}
