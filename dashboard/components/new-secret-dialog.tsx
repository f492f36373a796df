import { useEffect, useState } from 'preact/hooks'
import type { NewSecret } from '../shell/session.ts'
import { Button, CopyButton } from './button.tsx'
import { Dialog } from './dialog.tsx'
import { Notice } from './feedback.tsx'
import { CheckField } from './field.tsx'

const words = {
  apiKey: { name: 'key', copied: 'the API key', place: 'on your servers' },
  webhookSecret: {
    name: 'secret',
    copied: 'the secret',
    place: 'on the server that verifies with it',
  },
} as const

/**
 * Shows a new API key or another secret, which the service never shows again. The user must confirm that it is saved
 * before the page goes on. The browser asks before it leaves the page, because the secret is lost when the tab is closed.
 */
export function NewSecretDialog({
  kind,
  secret,
  title,
  note,
  onSaved,
}: NewSecret & { onSaved: () => void }) {
  const [isSaved, setIsSaved] = useState(false)
  const { name, copied, place } = words[kind]
  useEffect(() => {
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [])
  return (
    <Dialog title={title} onClose={onSaved} isBlocking>
      <div class="stack">
        <Notice kind="warning" title={`Save this ${name} now`}>
          <p>The service does not show it again. Keep it {place}, never inside a game.</p>
        </Notice>
        <div class="secret line">
          <code>{secret}</code>
          <CopyButton text={secret} what={copied} />
        </div>
        {note && <p class="soft">{note}</p>}
        <CheckField isChecked={isSaved} onChecked={setIsSaved}>
          I have saved the {name}.
        </CheckField>
        <div class="actions">
          <Button kind="primary" disabled={!isSaved} onClick={onSaved}>
            Continue
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
