import { EmptyState, LoadState, Notice } from '../../components/feedback.tsx'
import { Icon } from '../../components/icon.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import type { SampleCollectionEntry } from '../../shell/dashboard-config.ts'
import { navigate, useQuery } from '../../shell/location.ts'
import { contractPath } from '../../shell/page-paths.ts'
import { triedCalls } from '../../shell/session.ts'
import { useClient, useShell } from '../../shell/shell-context.ts'
import { useDraft } from '../../shell/use-draft.ts'
import { useLoad } from '../../shell/use-load.ts'
import { AddView } from './add-view.tsx'
import { ContractList } from './contract-list.tsx'
import { useContractPictures } from './contract-pictures.ts'
import { type FirstSteps, firstSteps, Steps } from './first-steps.tsx'
import { SendingProgress } from './sending-progress.tsx'
import { type Contracts, useContracts } from './use-contracts.ts'
import { useSendings } from './use-sendings.ts'

/** The page NFTs: the contracts of the game, and the form that adds NFTs. */
export function ContractsView() {
  const query = useQuery()
  const contracts = useContracts()
  if (query.has('add')) {
    return (
      <AddView
        contract={{
          chain: query.get('chain') ?? undefined,
          address: query.get('address') ?? undefined,
          isFixed: false,
        }}
        isConnected={contracts.mayHave}
        backTo="/nfts"
        onSent={(chain, address) => navigate(contractPath(chain, address), { replace: true })}
      />
    )
  }
  return <ContractsPage contracts={contracts} />
}

function ContractsPage({ contracts }: { contracts: Contracts }) {
  const sendings = useSendings()
  const { list, isLoading, error } = contracts
  const query = useQuery()
  const client = useClient()
  const { data: usage } = useLoad((signal) => client.getUsage({}, { signal }), [client])
  const pictures = useContractPictures(usage)
  const isEmpty = list.length === 0 && !isLoading && error === undefined
  const steps = firstSteps(list.length > 0, usage ?? [], triedCalls(sessionStorage))
  return (
    <>
      <PageHeading
        title="NFTs"
        actions={
          !isEmpty && (
            <a class="button is-primary" href="/nfts?add=1">
              <Icon name="plus" />
              Add NFTs
            </a>
          )
        }
      >
        The contracts whose NFTs players can use in your game.
      </PageHeading>
      <div class="stack">
        {sendings.map((sending) => (
          <SendingProgress key={sending.id} sending={sending} namesContract />
        ))}
        {isEmpty && <NoContracts steps={steps} />}
        {list.length > 0 && usage && !steps.hasCalled && <NextSteps steps={steps} />}
        {!isEmpty && (
          <ContractList list={list} pictures={pictures} search={query.get('search') ?? ''} />
        )}
        <LoadState loaded={contracts} label="Loading contracts…" />
      </div>
    </>
  )
}

/** What comes next, until a game has called the API, or the user closes it for this session. */
function NextSteps({ steps }: { steps: FirstSteps }) {
  const [isClosed, setIsClosed] = useDraft('next-steps-closed', false)
  if (isClosed) return null
  return (
    <Notice title="Next steps" onClose={() => setIsClosed(true)}>
      <Steps {...steps} />
    </Notice>
  )
}

function NoContracts({ steps }: { steps: FirstSteps }) {
  const { sampleCollections = [] } = useShell().config
  return (
    <EmptyState
      title="No NFTs yet"
      actions={
        <a class="button is-primary" href="/nfts?add=1">
          Add the first NFTs
        </a>
      }
      more={
        <>
          {sampleCollections.length > 0 && <Samples collections={sampleCollections} />}
          <Steps {...steps} />
        </>
      }
    >
      Add the NFTs of a contract to the allowlist of your game. Players who hold one of them see it
      in your game.
    </EmptyState>
  )
}

const Samples = ({ collections }: { collections: readonly SampleCollectionEntry[] }) => (
  <p class="empty-samples cluster">
    Or begin with a sample collection:
    {collections.map(({ chain, address, name }) => (
      <a key={address} href={`/nfts?${new URLSearchParams({ add: '1', chain, address })}`}>
        {name}
      </a>
    ))}
  </p>
)
