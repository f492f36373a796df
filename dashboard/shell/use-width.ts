import type { RefObject } from 'preact'
import { useLayoutEffect, useState } from 'preact/hooks'

/** Returns the width of an element in pixels, and renders again when it changes; 0 before it is known. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry) setWidth(Math.floor(entry.contentRect.width))
    })
    observer.observe(current)
    setWidth(Math.floor(current.getBoundingClientRect().width))
    return () => observer.disconnect()
  }, [element])
  return width
}
