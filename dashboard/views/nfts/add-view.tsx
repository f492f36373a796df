import { useEffect, useState } from 'preact/hooks'
import { CheckField } from '../../components/field.tsx'
import { ActionForm, useForm } from '../../components/form.tsx'
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

interface AddedContract {
  chain?: string | undefined
  address?: string | undefined
  /** Whether the form is for this contract only. */
  isFixed: boolean
}

interface AddViewProps {
  contract: AddedContract
  isConnected: (chain: string, address: string) => boolean
  backTo: string
  onSent: (chain: string, address: string) => void
}

/** The form that allowlists NFTs. `onSent` is called when the first request has succeeded. */
export function AddView({ contract, isConnected, backTo, onSent }: AddViewProps) {
  const { config } = useShell()
  const samples = (!contract.isFixed && config.sampleCollections) || []
  const sample = samples.find(({ address }) => address === contract.address)
  const { chain: firstChain = config.chains[0] ?? 'POLYGON', address: firstAddress = '' } = contract
  const initial = draftOf(sample ?? { chain: firstChain, address: firstAddress, name: '' })
  const [draft, setDraft, clearDraft] = useDraft<ContractDraft>(
    `contract ${draftName(contract)}`,
    initial,
  )
  const text = useListText(draftName(contract), sample ? '*' : '')
  const typed = useIdList(text.text)
  const { list, isReading } = typed
  const [leavesOut, setLeavesOut] = useState(false)
  const { send, sending } = useFirstRequest()
  // Another text has other bad lines.
  useEffect(() => setLeavesOut(false), [text.text])
  const { chain, description } = draft
  const address = draft.address.trim()
  const isKnown = isConnected(chain, address.toLowerCase())
  const form = useForm(
    async (signal) => {
      const about = description.trim() ? { description } : {}
      const task = { kind: 'allowlist', chain, address, ...about } as const
      if (!(await send(task, list?.elements ?? [], signal))) return
      clearDraft()
      text.clear()
      onSent(chain, address.toLowerCase())
    },
    { ...contractFaults(draft, isKnown), tokens: faultOfList(list, leavesOut) },
  )
  return (
    <>
      <PageHeading title="Add NFTs">
        Your game sees the NFTs on its allowlist in the wallets of its players, from its next
        request on.
      </PageHeading>
      <ActionForm
        layout="form add-form"
        form={{ ...form, isRunning: form.isRunning || isReading }}
        action={list && list.elements.length > 0 ? `Add ${describeElements(list.elements)}` : 'Add'}
        more={
          <a class="button is-secondary" href={backTo}>
            Cancel
          </a>
        }
        progress={sending && <SendingProgress sending={sending} />}
      >
        <SampleCollections
          samples={samples}
          onChoose={(chosen) => {
            setDraft(draftOf(chosen))
            if (text.text === '') text.setTyped('*')
          }}
        />
        <div class="add-columns columns">
          <div class="stack">
            <ContractFields
              draft={draft}
              onDraft={setDraft}
              isFixed={contract.isFixed}
              isKnown={isKnown}
              faultOf={form.faultOf}
            />
          </div>
          <div class="stack">
            <IdListInput list={text} error={form.faultOf('tokens')} />
            <IdListSummary {...typed} />
            {list && list.badLines.length > 0 && list.elements.length > 0 && (
              <CheckField isChecked={leavesOut} onChecked={setLeavesOut}>
                Send the list without the bad lines
              </CheckField>
            )}
          </div>
        </div>
      </ActionForm>
    </>
  )
}

/** Each contract that a link names has a draft of its own. */
const draftName = ({ chain, address }: AddedContract): string =>
  address ? `add ${chain} ${address}` : 'add'

/** A contract as the form begins with it. */
const draftOf = ({ chain, address, name }: SampleCollectionEntry): ContractDraft => ({
  chain,
  address,
  description: name,
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
