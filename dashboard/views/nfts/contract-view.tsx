import { LoadState, Notice } from '../../components/feedback.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import { navigate, useQuery } from '../../shell/location.ts'
import { contractPath } from '../../shell/page-paths.ts'
import { AddView } from './add-view.tsx'
import { ContractNfts } from './contract-nfts.tsx'
import { SendingProgress } from './sending-progress.tsx'
import { useContracts } from './use-contracts.ts'
import { useSendings } from './use-sendings.ts'

/** The page of a contract: its allowlisted NFTs, and the form that adds further ones. */
export function ContractView({ params }: { params: Readonly<Record<string, string>> }) {
  const { chain = '' } = params
  const address = (params['address'] ?? '').toLowerCase()
  const query = useQuery()
  const contracts = useContracts()
  const sendings = useSendings()
  const path = contractPath(chain, address)
  const contract = contracts.list.find((one) => one.chain === chain && one.address === address)
  const own = sendings.filter((one) => one.chain === chain && one.address.toLowerCase() === address)
  if (query.has('add')) {
    return (
      <AddView
        contract={{ chain, address, isFixed: true }}
        isConnected={contracts.mayHave}
        backTo={path}
        onSent={() => {
          contracts.reload()
          navigate(path, { replace: true })
        }}
      />
    )
  }
  if (contract) {
    return <ContractNfts contract={contract} contracts={contracts} sendings={own} />
  }
  return (
    <>
      <PageHeading title="Contract">
        <span class="mono foreign">
          {chain} {address}
        </span>
      </PageHeading>
      <div class="stack">
        {own.map((sending) => (
          <SendingProgress key={sending.id} sending={sending} />
        ))}
        <LoadState loaded={contracts} label="Loading the contract…" />
        {!contracts.isLoading && contracts.error === undefined && (
          <Notice kind="info" title="This contract is not on the allowlist of your game.">
            <p>
              <a href={`${path}?add=1`}>Add NFTs of this contract</a> or go{' '}
              <a href="/nfts">back to all contracts</a>.
            </p>
          </Notice>
        )}
      </div>
    </>
  )
}
