import type { ConnectedContract } from '../../../clients/typescript/src/types.ts'
import { Notice } from '../../components/feedback.tsx'
import { FormDialog, useForm } from '../../components/form.tsx'
import { capitalized } from '../../shell/counted.ts'
import { useClient } from '../../shell/shell-context.ts'
import { IdListInput } from './id-list-input.tsx'
import { IdListSummary } from './id-list-summary.tsx'
import { useIdList, useListText } from './list-text.ts'
import { describeElements, describeRanges, maxRanges, rangesWithout } from './removed-ranges.ts'
import { SendingProgress } from './sending-progress.tsx'
import { useFirstRequest } from './use-sendings.ts'

interface RemoveDialogProps {
  contract: ConnectedContract
  /** The identifiers to remove; without them the user types them. */
  elements: readonly string[] | undefined
  onClose: () => void
  onSent: (elements: readonly string[]) => void
}

/** Asks before NFTs are removed from the allowlist (unbound, as the API says), and says what will happen. */
export function RemoveDialog({ contract, elements, onClose, onSent }: RemoveDialogProps) {
  const { chain, address } = contract
  const text = useListText(`unbind ${chain} ${address}`)
  const typed = useIdList(elements ? '' : text.text)
  const list = elements ?? typed.list?.elements ?? []
  const hasBadLines = !elements && (typed.list?.badLines.length ?? 0) > 0
  const { send, sending } = useFirstRequest()
  const form = useForm(async (signal) => {
    if (!(await send({ kind: 'unbind', chain, address }, list, signal))) return
    if (!elements) text.clear()
    onSent(list)
  })
  const left = rangesWithout(contract.ranges ?? [], list.length <= maxChecked ? list : [])
  const isPossible = list.length > 0 && !hasBadLines && left.ranges.length <= maxRanges
  return (
    <FormDialog
      title="Remove NFTs"
      action={list.length > 0 ? `Remove ${describeElements(list)}` : 'Remove'}
      kind="danger"
      form={form}
      isDisabled={!isPossible}
      progress={sending && <SendingProgress sending={sending} />}
      layout="stack is-tight"
      isWide={!elements}
      onClose={onClose}
    >
      {!elements && (
        <>
          <IdListInput list={text} error={form.faultOf('tokens')} />
          <IdListSummary {...typed} />
        </>
      )}
      {list.length > 0 && <Consequence elements={list} ranges={left} />}
    </FormDialog>
  )
}

/** The ranges that are left are worked out for lists of up to this length. */
const maxChecked = 20_000

const Consequence = ({
  elements,
  ranges,
}: {
  elements: readonly string[]
  ranges: ReturnType<typeof rangesWithout>
}) => (
  <>
    <p>
      {elements.length <= 5 && <span class="mono foreign">{elements.join(', ')}. </span>}
      From the next request on, players do not see {elements.length === 1 ? 'it' : 'them'} in your
      game any more. Nothing changes in their wallets. To undo it, add the same{' '}
      {elements.length === 1 ? 'identifier' : 'identifiers'} again. The API calls this{' '}
      <em>unbind</em>.
    </p>
    {ranges.changed.length > 0 && ranges.ranges.length <= maxRanges && (
      <Notice
        kind="info"
        title={`${capitalized(describeRanges(ranges.changed, 10))} ${ranges.changed.length === 1 ? 'changes' : 'change'}.`}
      >
        <p class="foreign">
          {ranges.ranges.length === 0
            ? 'The contract has no range afterwards.'
            : `The contract then has ${describeRanges(ranges.ranges, 10)}.`}
        </p>
      </Notice>
    )}
    {ranges.ranges.length > maxRanges && (
      <Notice
        kind="error"
        title={`This would leave ${ranges.ranges.length} ranges, and a contract can have ${maxRanges}.`}
      >
        <p>Remove ranges, such as 100..199, in place of single identifiers.</p>
      </Notice>
    )}
  </>
)

/** Asks before a contract is removed with its whole allowlist. */
export function RemoveContractDialog({
  contract,
  size,
  onClose,
  onRemoved,
}: {
  contract: ConnectedContract
  size: string
  onClose: () => void
  onRemoved: () => void
}) {
  const client = useClient()
  const { chain, address } = contract
  const removal = useForm(async (signal) => {
    await client.unbindContract({ chain, contractAddress: address }, { signal })
    onRemoved()
  })
  return (
    <FormDialog
      title="Remove this contract"
      action="Remove the contract"
      kind="danger"
      form={removal}
      layout="stack is-tight"
      onClose={onClose}
    >
      <p>
        The contract and its whole allowlist are removed: <strong>{size}</strong>. From the next
        request on, players do not see any NFT of this contract in your game. Nothing changes in
        their wallets.
      </p>
      <p class="mono foreign">
        {chain} {address}
      </p>
      <p>
        The service does not keep the list. To undo it, add the NFTs again. The API calls this{' '}
        <em>unbind</em>.
      </p>
    </FormDialog>
  )
}
