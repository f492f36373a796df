import { useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { Card } from './card.tsx'
import { ConfirmDialog } from './confirm-dialog.tsx'
import type { PageService } from './service.ts'
import { texts } from './texts.ts'

const own = texts.signOut

/** Ends everything that the user's wallets have begun. */
export function SignOutCard({
  service,
  onSignOut,
}: {
  service: PageService
  onSignOut: () => void
}) {
  const [isAsking, setIsAsking] = useState(false)
  return (
    <Card title={own.title}>
      <p class="soft">{own.lead}</p>
      <div class="actions">
        <Button kind="danger" onClick={() => setIsAsking(true)}>
          {own.button}
        </Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={own.dialogTitle}
          action={own.button}
          onClose={() => setIsAsking(false)}
          onConfirm={async () => {
            await service.signOut()
            onSignOut()
          }}
        >
          <p>{own.lead}</p>
          <p>{own.delay}</p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
