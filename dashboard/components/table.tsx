import type { ComponentChildren } from 'preact'

interface TableProps {
  columns: readonly string[]
  numbers?: readonly string[]
  kind?: string
  children: ComponentChildren
}

/** A table with the names of its columns; those of numbers are on the right. */
export const Table = ({ columns, numbers = [], kind = '', children }: TableProps) => (
  <table class={`table ${kind}`}>
    <thead>
      <tr>
        {[...columns, ...numbers].map((name, index) => (
          <th key={name} scope="col" class={index < columns.length ? undefined : 'is-number'}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
    <tbody>{children}</tbody>
  </table>
)

export const NumberCell = ({
  value,
  isEstimate = false,
}: {
  value: number
  isEstimate?: boolean
}) => (
  <td class="is-number">
    {isEstimate && 'about '}
    {value.toLocaleString('en')}
  </td>
)
