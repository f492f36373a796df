import { useEffect, useState } from 'preact/hooks'
import { announce } from '../shell/announcer.tsx'
import { Icon } from './icon.tsx'

/** How long the button shows that it has copied, in milliseconds. */
const shownFor = 2_000

/** Copies a text to the clipboard. `what` names the text for screen readers, for example "the API key". */
export function CopyButton({ text, what }: { text: string; what: string }) {
  const [isCopied, setIsCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setIsCopied(false), shownFor)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setIsCopied(true)
      announce('Copied.')
    } catch {
      announce('The browser does not permit copying: select the text and copy it.')
    }
  }
  return (
    <button type="button" class="button is-quiet copy-button" onClick={copy}>
      <Icon name={isCopied ? 'check' : 'copy'} />
      <span class="visually-hidden">Copy {what}</span>
    </button>
  )
}
