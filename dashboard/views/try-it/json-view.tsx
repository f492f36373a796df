import { useMemo, useState } from 'preact/hooks'
import { CopyButton } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { shortened } from '../../components/foreign-text.tsx'
import { Icon } from '../../components/icon.tsx'
import { VirtualList } from '../../components/virtual-list.tsx'
import { counted } from '../../shell/counted.ts'
import { type JsonLine, jsonLines, visibleLines } from './json-lines.ts'

const lineHeight = 24

/** The lengths up to which values are shown in a line, and in the dialog, in UTF-16 units. */
const maxInLine = 300
const maxInDialog = 100_000

/** From this length on, a value can be cut on a narrow screen, and opens in a dialog. */
const longValue = 40

/** Deeper lines are indented no further. */
const maxIndent = 24

/** JSON text as it was received, with every digit, in lines that can be folded. It stays quick with megabytes. */
export function JsonView({ text }: { text: string }) {
  const lines = useMemo(() => jsonLines(text), [text])
  const [folded, setFolded] = useState<ReadonlySet<number>>(new Set())
  const [opened, setOpened] = useState<string>()
  const visible = useMemo(() => visibleLines(lines, folded), [lines, folded])
  const toggle = (index: number) => {
    const next = new Set(folded)
    if (!next.delete(index)) next.add(index)
    setFolded(next)
  }
  return (
    <div class="json">
      <div class="json-copy">
        <CopyButton text={text} what="the JSON" />
      </div>
      <VirtualList
        count={visible.length}
        rowHeight={lineHeight}
        label="Lines of JSON"
        renderRow={(row) => {
          const index = visible[row] as number
          const line = lines[index]
          return (
            line && (
              <Line
                line={line}
                closing={lines[line.end ?? -1]}
                isFolded={folded.has(index)}
                onToggle={() => toggle(index)}
                onOpen={() => setOpened(line.value)}
              />
            )
          )
        }}
      />
      {opened !== undefined && (
        <Dialog title="Value" onClose={() => setOpened(undefined)} isWide>
          <CopyButton text={opened} what="the value" />
          <p class="json-value mono foreign">{shortened(opened, maxInDialog)}</p>
        </Dialog>
      )}
    </div>
  )
}

function Line({
  line: { depth, name, value, end, members, comma },
  closing,
  isFolded,
  onToggle,
  onOpen,
}: {
  line: JsonLine
  closing: JsonLine | undefined
  isFolded: boolean
  onToggle: () => void
  onOpen: () => void
}) {
  const isLong = value.length > longValue
  const shown = isFolded ? `${value} … ${closing?.value ?? ''}` : shortened(value, maxInLine)
  const hasComma = isFolded ? closing?.comma : comma
  return (
    <div
      class="json-line mono"
      style={{ paddingLeft: `${Math.min(depth, maxIndent) * 16 + 24}px` }}
    >
      {end !== undefined && (
        <button
          type="button"
          class={`json-fold bare${isFolded ? '' : ' is-open'}`}
          aria-expanded={!isFolded}
          onClick={onToggle}
        >
          <Icon name="chevron" />
          <span class="visually-hidden">
            {name ?? 'Element'}, {counted(members ?? 0, 'entry', 'entries')}
          </span>
        </button>
      )}
      {name !== undefined && (
        <>
          <bdi class="json-name">{shortened(name, maxInLine)}</bdi>
          {': '}
        </>
      )}
      {isLong && !isFolded ? (
        <button type="button" class="json-long bare" onClick={onOpen} title="Show the whole value">
          <bdi class={kindOf(value)}>{shown}</bdi>
        </button>
      ) : (
        <bdi class={kindOf(value)}>{shown}</bdi>
      )}
      {hasComma && ','}
    </div>
  )
}

function kindOf(value: string): string {
  if (value.startsWith('"')) return 'json-text'
  return /^[{}[\]]/.test(value) ? '' : 'json-number'
}
