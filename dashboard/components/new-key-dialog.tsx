import { useEffect, useState } from 'preact/hooks'
import { Button } from './button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'
import { Notice } from './notice.tsx'

/**
 * Shows a new API key, which the service never shows again. The user must confirm that it is saved before the page goes
 * on. The browser asks before it leaves the page, because the key is lost when the tab is closed. Afterwards, the focus is
 * on the heading of the page, if nothing else has it.
 */
export function NewKeyDialog({
  apiKey,
  title,
  note,
  onSaved,
}: {
  apiKey: string
  title: string
  note?: string
  onSaved: () => void
}) {
  const [isSaved, setIsSaved] = useState(false)
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
  useEffect(
    () => () => {
      if (document.activeElement === document.body) document.querySelector('h1')?.focus()
    },
    [],
  )
  return (
    <Dialog title={title} onClose={onSaved} isBlocking>
      <div class="stack">
        <Notice kind="warning" title="Save this key now">
          <p>The service does not show it again. Keep it on your servers, never inside a game.</p>
        </Notice>
        <div class="secret">
          <code>{apiKey}</code>
          <CopyButton text={apiKey} what="the API key" />
        </div>
        {note && <p class="soft">{note}</p>}
        <label class="check">
          <input
            type="checkbox"
            checked={isSaved}
            onChange={(event) => setIsSaved(event.currentTarget.checked)}
          />
          I have saved the key.
        </label>
        <div class="actions">
          <Button kind="primary" disabled={!isSaved} onClick={onSaved}>
            Continue
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
