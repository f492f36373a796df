import { useId, useState } from 'preact/hooks'
import { Button } from '../../components/button.tsx'
import { Notice } from '../../components/feedback.tsx'
import { Field } from '../../components/field.tsx'
import { isolated } from '../../components/foreign-text.tsx'
import { Icon } from '../../components/icon.tsx'
import { type ListText, maxTypedLength } from './list-text.ts'

/** The maximum size of a file, in bytes: a million identifiers of 78 digits. */
const maxFileBytes = 100_000_000

/** Identifiers and ranges, typed or pasted into a text area, or from a file that is chosen or dropped. */
export function IdListInput({ list, error }: { list: ListText; error?: string | undefined }) {
  const [isOver, setIsOver] = useState(false)
  const [fault, setFault] = useState<string>()
  const take = async (file: File | null | undefined) => {
    if (!file) return
    setFault(undefined)
    if (file.size > maxFileBytes) {
      setFault(`${isolated(file.name)} has more than 100 MB. Split it into smaller files.`)
      return
    }
    try {
      list.setFile({ name: file.name, text: await file.text() })
    } catch {
      setFault(`${isolated(file.name)} cannot be read. Choose it again.`)
    }
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button and the text area do the same without a mouse
    <div
      class={`list-input stack is-close${isOver ? ' is-over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault()
        setIsOver(true)
      }}
      onDragLeave={() => setIsOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setIsOver(false)
        void take(event.dataTransfer?.files[0])
      }}
    >
      {list.file ? (
        <ChosenFile list={list} error={error} />
      ) : (
        <TypedList list={list} error={error} />
      )}
      <FileButton onFile={take} isOther={list.file !== undefined} />
      {fault && <Notice kind="error" title={fault} />}
    </div>
  )
}

const TypedList = ({ list, error }: { list: ListText; error: string | undefined }) => (
  <Field
    label="Token identifiers"
    hint="One on each line, or separated by commas: decimal or 0x hexadecimal. Ranges such as 1..5000, and * for the whole collection."
    error={error}
  >
    {(control) => (
      <textarea
        {...control}
        class="input mono"
        rows={7}
        spellcheck={false}
        value={list.typed}
        onInput={(event) => list.setTyped(event.currentTarget.value)}
        onPaste={(event) => {
          const text = event.clipboardData?.getData('text/plain') ?? ''
          if (text.length <= maxTypedLength) return
          event.preventDefault()
          list.setFile({ name: 'Pasted text', text })
        }}
      />
    )}
  </Field>
)

const ChosenFile = ({ list, error }: { list: ListText; error: string | undefined }) => (
  <>
    <div class="chosen-file cluster">
      <Icon name="list" />
      <span class="chosen-file-name strong foreign">{list.file?.name}</span>
      <span class="soft">{sizeOf(list.file?.text.length ?? 0)}</span>
      <Button kind="quiet" onClick={() => list.setFile(undefined)}>
        Remove
      </Button>
    </div>{' '}
    {error && (
      <p class="field-error" role="alert">
        {error}
      </p>
    )}
  </>
)

const sizeOf = (length: number): string =>
  length < 1_000_000
    ? `${Math.ceil(length / 1000).toLocaleString('en-US')} KB`
    : `${(length / 1_000_000).toFixed(1)} MB`

function FileButton({
  onFile,
  isOther,
}: {
  onFile: (file: File | null | undefined) => Promise<void>
  isOther: boolean
}) {
  const id = useId()
  return (
    <p class="file-choice cluster">
      <input
        id={id}
        class="visually-hidden"
        type="file"
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        onChange={(event) => {
          const input = event.currentTarget
          void onFile(input.files?.[0])
          // The same file can be chosen again after a change.
          input.value = ''
        }}
      />
      <label for={id} class="button is-secondary">
        {isOther ? 'Choose another file' : 'Choose a CSV or text file'}
      </label>
      <span class="soft"> or drop it here</span>
    </p>
  )
}
