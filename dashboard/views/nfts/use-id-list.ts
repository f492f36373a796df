import { useEffect, useState } from 'preact/hooks'
import { type IdList, readIdList } from './id-list.ts'

/** How long typing must pause before a text is read, in milliseconds. */
const pause = 150

/** Reads a text while it is typed. `list` is that of the present text, or `undefined` while it is read. */
export function useIdList(
  text: string,
  column: number | undefined,
): { list: IdList | undefined; isReading: boolean } {
  const [read, setRead] = useState<{ text: string; column: number | undefined; list: IdList }>()
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    const timer = setTimeout(() => {
      readIdList(text, { column, signal }).then(
        (list) => signal.aborted || setRead({ text, column, list }),
        // Only an abort rejects.
        () => undefined,
      )
    }, pause)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [text, column])
  const isCurrent = read?.text === text && read.column === column
  return { list: isCurrent ? read.list : undefined, isReading: !isCurrent && text !== '' }
}
