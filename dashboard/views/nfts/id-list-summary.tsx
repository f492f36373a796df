import { CopyButton } from '../../components/button.tsx'
import { Notice, Progress } from '../../components/feedback.tsx'
import { SelectField } from '../../components/field.tsx'
import { ForeignText } from '../../components/foreign-text.tsx'
import { capitalized, counted } from '../../shell/counted.ts'
import { type BadLine, badLinesText } from './id-list.ts'
import type { ReadIds } from './list-text.ts'
import { describeElements } from './removed-ranges.ts'

const shownLines = 100

/** What a text contains, before it is sent: numbers of identifiers and ranges, and every line that is wrong. */
export function IdListSummary({ list, isReading, onColumn }: ReadIds) {
  if (!list) return isReading ? <Progress label="Checking the list…" /> : null
  const { layout, badLines, duplicateCount, roundedCount, elements } = list
  const isEmpty = elements.length === 0 && badLines.length === 0
  return (
    <div class="stack is-tight">
      {layout.kind === 'table' && (
        <SelectField
          label="Column with the token identifiers"
          value={String(layout.column)}
          onValue={(value) => onColumn(Number(value))}
          options={layout.columns.map((name, index) => ({
            value: String(index),
            label: name.slice(0, 60),
          }))}
        />
      )}
      {!isEmpty && (
        <p role="status">
          <strong>{capitalized(describeElements(elements))}</strong>
          {duplicateCount > 0 && `, ${counted(duplicateCount, 'duplicate')} left out`}
          {badLines.length > 0 && `, ${counted(badLines.length, 'bad line')}`}
        </p>
      )}
      {elements.includes('*') && <p class="soft">With *, also NFTs that are minted later.</p>}
      {roundedCount > 0 && (
        <Notice
          kind="warning"
          title={`${counted(roundedCount, 'identifier')} may have been rounded by a spreadsheet.`}
        >
          <p>
            A spreadsheet keeps 15 digits of a number and writes zeros for the others. Compare these
            identifiers with their source.
          </p>
        </Notice>
      )}
      {badLines.length > 0 && <BadLines badLines={badLines} />}
    </div>
  )
}

const BadLines = ({ badLines }: { badLines: readonly BadLine[] }) => (
  <Notice kind="warning" title={`${counted(badLines.length, 'line')} cannot be read`}>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard scrolls it */}
    <ul class="bad-lines stack is-dense small" tabIndex={0}>
      {badLines.slice(0, shownLines).map(({ line, text, fault }, index) => (
        <li key={index}>
          Line {line}:{' '}
          <code>
            <ForeignText text={text || '(empty)'} />
          </code>{' '}
          {fault}.
        </li>
      ))}
    </ul>
    {badLines.length > shownLines && (
      <p>and {counted(badLines.length - shownLines, 'more line')}.</p>
    )}
    <p class="cluster small">
      Copy all bad lines <CopyButton text={badLinesText(badLines)} what="all bad lines" />
    </p>
  </Notice>
)
