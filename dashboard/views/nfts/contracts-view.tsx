import type { ConnectedContract } from '../../../clients/typescript/src/types.ts'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { TextField } from '../../components/field.tsx'
import { ForeignText } from '../../components/foreign-text.tsx'
import { Icon } from '../../components/icon.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import { Progress } from '../../components/progress.tsx'
import { Day } from '../../components/time.tsx'
import { VirtualList } from '../../components/virtual-list.tsx'
import { capitalized } from '../../shell/counted.ts'
import { navigate, setQuery, useQuery } from '../../shell/location.ts'
import { contractPath } from '../../shell/page-paths.ts'
import { useShell } from '../../shell/shell-context.ts'
import { AddView } from './add-view.tsx'
import { nftsOf, rangesOf } from './contract-size.ts'
import { SendingProgress } from './sending-progress.tsx'
import { useContracts } from './use-contracts.ts'
import { useSendings } from './use-sendings.ts'

/** The page NFTs: the contracts of the game, and the form that adds NFTs. */
export function ContractsView() {
  const query = useQuery()
  const contracts = useContracts()
  const { productId, list, knownOf } = useSendings()
  if (query.has('add')) {
    return (
      <AddView
        contract={{
          chain: query.get('chain') ?? undefined,
          address: query.get('address') ?? undefined,
          isFixed: false,
        }}
        isConnected={contracts.mayHave}
        productId={productId}
        backTo="/nfts"
        onSent={(chain, address) => navigate(contractPath(chain, address), { replace: true })}
      />
    )
  }
  const isEmpty = contracts.list.length === 0 && !contracts.isLoading && !contracts.error
  return (
    <>
      <PageHeading
        title="NFTs"
        actions={
          <a class="button is-primary" href="/nfts?add=1">
            <Icon name="plus" />
            Add NFTs
          </a>
        }
      >
        The contracts whose NFTs players can use in your game.
      </PageHeading>
      <div class="stack">
        {list.map((sending) => (
          <SendingProgress key={sending.id} sending={sending} namesContract />
        ))}
        {isEmpty ? (
          <NoContracts />
        ) : (
          <ContractList
            list={contracts.list}
            knownOf={knownOf}
            search={query.get('search') ?? ''}
          />
        )}
        {contracts.isLoading && <Progress label="Loading contracts…" />}
        {contracts.error !== undefined && (
          <Failure error={contracts.error} retry={contracts.reload} />
        )}
      </div>
    </>
  )
}

const NoContracts = () => {
  const { config } = useShell()
  return (
    <EmptyState
      title="No NFTs yet"
      actions={
        <>
          <a class="button is-primary" href="/nfts?add=1">
            Add the first NFTs
          </a>
          {config.sampleCollections?.map(({ chain, address, name }) => (
            <a
              key={address}
              class="button is-secondary"
              href={`/nfts?${new URLSearchParams({ add: '1', chain, address })}`}
            >
              {name} (sample)
            </a>
          ))}
        </>
      }
    >
      Add the NFTs of a contract to the allowlist of your game. Players who hold one of them see it
      in your game.
    </EmptyState>
  )
}

/** The number of contracts from which a search helps. */
const searchFrom = 6

/** The height of a contract in the list, in pixels. */
const rowHeight = 88

function ContractList({
  list,
  knownOf,
  search,
}: {
  list: readonly ConnectedContract[]
  knownOf: (contract: ConnectedContract) => number
  search: string
}) {
  const found = list.filter((contract) => matches(contract, search))
  return (
    <div class="stack is-tight">
      {(list.length >= searchFrom || search !== '') && (
        <TextField
          label="Search"
          type="search"
          hint="Description, address or chain"
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
        rowHeight={rowHeight}
        label="Contracts"
        renderRow={(index) => {
          const contract = found[index] as ConnectedContract
          return <ContractRow contract={contract} known={knownOf(contract)} />
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

function ContractRow({ contract, known }: { contract: ConnectedContract; known: number }) {
  const { chain, address, description, connectedAt, ranges } = contract
  return (
    <a class="contract-row" href={contractPath(chain, address)}>
      <span class="contract-main">
        <span class="contract-name">
          <ForeignText text={description} />
        </span>
        <span class="contract-address">
          <span class="badge">{chain}</span>
          <span class="mono soft">{address}</span>
        </span>
      </span>
      <span class="contract-facts">
        <span>{capitalized(nftsOf(contract, known))}</span>
        <span class="soft">
          {ranges && !ranges.includes('*') ? (
            <span class="mono contract-ranges">{rangesOf(contract, 2)}</span>
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
