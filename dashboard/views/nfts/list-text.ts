import { useEffect, useState } from 'preact/hooks'
import { readLocal, removeLocal, writeLocal } from '../../shell/local-database.ts'
import { useDraft } from '../../shell/use-draft.ts'
import { type IdList, readIdList } from './id-list.ts'

interface ListFile {
  name: string
  text: string
}

export type ListText = ReturnType<typeof useListText>

/** The maximum length of a text in a text area, in UTF-16 units: longer ones make typing slow. */
export const maxTypedLength = 100_000

/**
 * The text of a list, typed or that of a file, as a draft with this name: it survives a reload. Files are kept in the browser's database, because sessionStorage has no
 * room for 100,000 identifiers. `initial` is the typed text without a draft.
 */
export function useListText(name: string, initial = '') {
  const [typed, setTyped, clearTyped] = useDraft(`list ${name}`, initial)
  const [file, showFile] = useState<ListFile>()
  const key = `file ${name}`
  useEffect(() => {
    let isCurrent = true
    // Without a database the file lasts as long as the page.
    readLocal<ListFile>(key).then(
      (kept) => isCurrent && kept && showFile((present) => present ?? kept),
      () => undefined,
    )
    return () => {
      isCurrent = false
    }
  }, [key])
  const setFile = (next: ListFile | undefined) => {
    showFile(next)
    const kept = next ? writeLocal({ [key]: next }) : removeLocal(key)
    kept.catch(() => undefined)
  }
  const clear = () => {
    clearTyped()
    setFile(undefined)
  }
  return { typed, setTyped, file, setFile, text: file?.text ?? typed, clear }
}

/** How long typing must pause before a text is read, in milliseconds. */
const pause = 150

export type ReadIds = ReturnType<typeof useIdList>

/** Reads a text while it is typed. `list` is that of the present text, or `undefined` while it is read. */
export function useIdList(text: string) {
  const [column, onColumn] = useState<number>()
  // Another text has other columns.
  useEffect(() => onColumn(undefined), [text])
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
  const list = isCurrent ? read.list : undefined
  return { list, isReading: !isCurrent && text !== '', onColumn }
}
