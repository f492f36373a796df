import { useEffect, useState } from 'preact/hooks'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/feedback.tsx'
import { CheckField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import type { SampleCollectionEntry } from '../../shell/dashboard-config.ts'
import { useShell } from '../../shell/shell-context.ts'
import { useDraft } from '../../shell/use-draft.ts'
import {
  type ContractDraft,
  ContractFields,
  contractFaults,
  SampleCollections,
} from './contract-fields.tsx'
import type { IdList } from './id-list.ts'
import { IdListInput } from './id-list-input.tsx'
import { IdListSummary } from './id-list-summary.tsx'
import { useIdList, useListText } from './list-text.ts'
import { describeElements } from './removed-ranges.ts'
import { SendingProgress } from './sending-progress.tsx'
import { useFirstRequest } from './use-sendings.ts'

/** A contract to begin the form with. */
interface AddedContract {
  chain?: string | undefined
  address?: string | undefined
  /** Whether the form is for this contract only. */
  isFixed: boolean
}

/** The form that allowlists NFTs. `onSent` is called when the first request has succeeded. */
export function AddView({
  contract,
  isConnected,
  backTo,
  onSent,
}: {
  contract: AddedContract
  /** Whether a contract is connected, as far as the page knows. */
  isConnected: (chain: string, address: string) => boolean
  backTo: string
  onSent: (chain: string, address: string) => void
}) {
  const { config } = useShell()
  const samples = (!contract.isFixed && config.sampleCollections) || []
  const sample = samples.find(({ address }) => address === contract.address)
  const initial = sample ? draftOf(sample) : initialDraft(contract, config.chains[0] ?? 'POLYGON')
  const [draft, setDraft, clearDraft] = useDraft<ContractDraft>(
    `contract ${draftName(contract)}`,
    initial,
  )
  const text = useListText(draftName(contract), sample ? '*' : '')
  const [column, setColumn] = useState<number>()
  const { list, isReading } = useIdList(text.text, column)
  const [showsFaults, setShowsFaults] = useState(false)
  const [leavesOut, setLeavesOut] = useState(false)
  const first = useFirstRequest(() => {
    clearDraft()
    text.clear()
    onSent(draft.chain, draft.address.trim().toLowerCase())
  })
  // Another text has other columns and bad lines.
  useEffect(() => {
    setColumn(undefined)
    setLeavesOut(false)
  }, [text.text])
  const isKnown = isConnected(draft.chain, draft.address.trim().toLowerCase())
  const faults = showsFaults ? contractFaults(draft, isKnown) : {}
  const listFault = showsFaults ? faultOfList(list, leavesOut) : undefined
  const submit = () => {
    setShowsFaults(true)
    const hasFaults = Object.keys(contractFaults(draft, isKnown)).length > 0
    if (hasFaults || !list || faultOfList(list, leavesOut)) return
    const { chain, address, description } = draft
    const about = description.trim() ? { description } : {}
    const task = { kind: 'allowlist', chain, address: address.trim(), ...about } as const
    void first.start(task, list.elements)
  }
  return (
    <>
      <PageHeading title="Add NFTs">
        Your game sees the NFTs on its allowlist in the wallets of its players, from its next
        request on.
      </PageHeading>
      <Form layout="form add-form" onSubmit={submit}>
        <SampleCollections
          samples={samples}
          onChoose={(chosen) => {
            setDraft(draftOf(chosen))
            if (text.text === '') text.setTyped('*')
          }}
        />
        <div class="add-columns">
          <div>
            <ContractFields
              draft={draft}
              onDraft={setDraft}
              isFixed={contract.isFixed}
              isKnown={isKnown}
              errors={{ ...first.fields, ...faults }}
            />
          </div>
          <div>
            <IdListInput list={text} error={listFault ?? first.fields['tokens']} />
            <IdListSummary list={list} isReading={isReading} onColumn={setColumn} />
            {list && list.badLines.length > 0 && list.elements.length > 0 && (
              <CheckField isChecked={leavesOut} onChecked={setLeavesOut}>
                Send the list without the bad lines
              </CheckField>
            )}
          </div>
        </div>
        <Failure error={first.error} />
        {first.sending ? (
          <SendingProgress sending={first.sending} />
        ) : (
          <div class="actions">
            <Button type="submit" kind="primary" isBusy={isReading || first.isStarting}>
              {list && list.elements.length > 0 ? `Add ${describeElements(list.elements)}` : 'Add'}
            </Button>
            <a class="button is-secondary" href={backTo}>
              Cancel
            </a>
          </div>
        )}
      </Form>
    </>
  )
}

/** Each contract that a link names has a draft of its own. */
const draftName = ({ chain, address }: AddedContract): string =>
  address ? `add ${chain} ${address}` : 'add'

/** A collection of the sample world as the form begins with it. */
const draftOf = ({ chain, address, name }: SampleCollectionEntry): ContractDraft => ({
  chain,
  address,
  description: name,
})

const initialDraft = ({ chain, address }: AddedContract, first: string): ContractDraft => ({
  chain: chain ?? first,
  address: address ?? '',
  description: '',
})

function faultOfList(list: IdList | undefined, leavesOut: boolean): string | undefined {
  if (!list || list.elements.length === 0) {
    return 'Enter at least one token identifier, range, or *.'
  }
  if (list.badLines.length > 0 && !leavesOut) {
    return 'Correct the bad lines below, or send the list without them.'
  }
  return undefined
}
