import type { ConnectedContract } from '../../../clients/typescript/src/types.ts'
import { Button } from '../../components/button.tsx'
import { SelectField, TextArea, TextField } from '../../components/field.tsx'
import type { SampleCollectionEntry } from '../../shell/dashboard-config.ts'
import { useShell } from '../../shell/shell-context.ts'

/** What the user has typed about a contract. */
export type ContractDraft = Pick<ConnectedContract, 'chain' | 'address' | 'description'>

/** The bounds of a description, in characters (4.3). */
const [minDescription, maxDescription] = [10, 2000]

/** What is wrong with the fields, by their names in the API. The API checks the rest. */
export function contractFaults({ address, description }: ContractDraft, isKnown: boolean) {
  const isAddress = /^0x[0-9a-fA-F]{40}$/.test(address.trim())
  const length = [...description.trim()].length
  const isShort = length < minDescription && !(length === 0 && isKnown)
  return {
    contractAddress: isAddress ? undefined : 'Write 0x and 40 hexadecimal digits.',
    contractDescription:
      isShort || length > maxDescription
        ? `Write ${minDescription} to 2,000 characters.`
        : undefined,
  }
}

interface ContractFieldsProps {
  draft: ContractDraft
  onDraft: (draft: ContractDraft) => void
  isFixed: boolean
  isKnown: boolean
  faultOf: (name: string) => string | undefined
}

/** The fields about the contract of a list. With `isFixed`, only the description can be changed. */
export function ContractFields({ draft, onDraft, isFixed, isKnown, faultOf }: ContractFieldsProps) {
  const { config } = useShell()
  return (
    <>
      {isFixed ? (
        <dl class="facts">
          <dt>Chain</dt>
          <dd>{draft.chain}</dd>
          <dt>Contract</dt>
          <dd class="mono">{draft.address}</dd>
        </dl>
      ) : (
        <>
          <SelectField
            label="Chain"
            value={draft.chain}
            onValue={(chain) => onDraft({ ...draft, chain })}
            options={config.chains.map((chain) => ({ value: chain, label: chain }))}
            error={faultOf('chain')}
          />
          <TextField
            label="Contract address"
            hint="0x and 40 hexadecimal digits, as a block explorer shows it."
            value={draft.address}
            onValue={(address) => onDraft({ ...draft, address })}
            error={faultOf('contractAddress')}
            spellcheck={false}
          />
        </>
      )}
      <TextArea
        label="Description"
        hint={
          isKnown
            ? 'If you leave it empty, the contract keeps its description.'
            : 'What the NFTs of this contract are, for your team: 10 to 2,000 characters.'
        }
        isOptional={isKnown}
        rows={2}
        value={draft.description}
        onValue={(description) => onDraft({ ...draft, description })}
        error={faultOf('contractDescription')}
      />
    </>
  )
}

/** Fills the form with a collection of the sample world. Only the local stack has them. */
export const SampleCollections = ({
  samples,
  onChoose,
}: {
  samples: readonly SampleCollectionEntry[]
  onChoose: (sample: SampleCollectionEntry) => void
}) =>
  samples.length > 0 && (
    <section class="stack is-dense" aria-label="Sample collections">
      <p class="soft">Fill the form with a sample collection:</p>
      <div class="actions">
        {samples.map((sample) => (
          <Button key={sample.address} onClick={() => onChoose(sample)}>
            {sample.name}
          </Button>
        ))}
      </div>
      <p class="soft">
        This service knows these, and what <code>npm run mint</code> adds. For contracts on real
        chains, start it with <code>ALCHEMY_API_KEY</code>.
      </p>
    </section>
  )
