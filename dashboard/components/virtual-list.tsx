import type { ComponentChildren } from 'preact'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** The rows above and below the visible part that are rendered too. */
const spareRows = 6

interface VirtualListProps {
  count: number
  /** The height of a row, in pixels. */
  rowHeight: number
  label: string
  renderRow: (index: number) => ComponentChildren
  onNearEnd?: () => void
}

/**
 * A list of rows of one height that scrolls with the page and renders only the rows that are visible, so that 10,000
 * entries are as quick as ten. `onNearEnd` is called when the user comes near the end, for the next page.
 */
export function VirtualList({ count, rowHeight, label, renderRow, onNearEnd }: VirtualListProps) {
  const list = useRef<HTMLDivElement>(null)
  const { top, height } = useViewport(list)
  const first = Math.max(0, Math.floor(top / rowHeight) - spareRows)
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + spareRows)
  const isNearEnd = end >= count
  // The caller's function may be new with each render
  useEffect(() => {
    if (isNearEnd) onNearEnd?.()
  }, [isNearEnd, count])
  const rows = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index)
  return (
    // biome-ignore lint/a11y/useSemanticElements: the list has more items than elements
    <div
      role="list"
      aria-label={label}
      ref={list}
      class="virtual-list-rows"
      style={{ height: `${count * rowHeight}px` }}
    >
      {rows.map((index) => (
        // biome-ignore lint/a11y/useSemanticElements: an item of the list above
        <div
          role="listitem"
          key={index}
          class="virtual-list-row"
          aria-setsize={count}
          aria-posinset={index + 1}
          style={{ height: `${rowHeight}px`, transform: `translateY(${index * rowHeight}px)` }}
        >
          {renderRow(index)}
        </div>
      ))}
    </div>
  )
}

/** Returns the part of an element that the window shows. */
function useViewport(element: { current: HTMLElement | null }) {
  const [viewport, setViewport] = useState({ top: 0, height: 0 })
  useLayoutEffect(() => {
    const measure = () => {
      const box = element.current?.getBoundingClientRect()
      if (!box) return
      setViewport({ top: Math.max(0, -box.top), height: innerHeight - Math.max(0, box.top) })
    }
    measure()
    addEventListener('scroll', measure, { passive: true })
    addEventListener('resize', measure)
    return () => {
      removeEventListener('scroll', measure)
      removeEventListener('resize', measure)
    }
  }, [element])
  return viewport
}
