import { useState } from 'preact/hooks'
import type { ListedKey, NewKey } from '../../../clients/typescript/src/types.ts'
import { Button } from '../../components/button.tsx'
import { LoadState } from '../../components/feedback.tsx'
import { isolated } from '../../components/foreign-text.tsx'
import { Icon } from '../../components/icon.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import { announce } from '../../shell/announcer.tsx'
import { useApiKey, useClient, useShell, useShowNewSecret } from '../../shell/shell-context.ts'
import { useLoad } from '../../shell/use-load.ts'
import { CreateKeyDialog, RevokeKeyDialog, RotateKeyDialog } from './key-dialogs.tsx'
import { entryOfKey, KeyList } from './key-list.tsx'

type Open = { dialog: 'create' } | { dialog: 'rotate' | 'revoke'; key: ListedKey }

/** The page Keys: the API keys of the product, and everything that can be done with them. */
export function KeysView() {
  const { session } = useShell()
  const client = useClient()
  const apiKey = useApiKey()
  const loaded = useLoad((signal) => client.listKeys({ signal }), [client])
  const { data: keys, reload } = loaded
  const showNewSecret = useShowNewSecret()
  const [open, setOpen] = useState<Open>()
  const own = keys && apiKey !== undefined ? entryOfKey(keys, apiKey) : undefined
  const close = () => setOpen(undefined)
  const show = (made: NewKey, isOwn = false) => {
    const title = `The new key ${isolated(made.label)}`
    if (!showNewSecret({ title, kind: 'apiKey', secret: made.apiKey })) return
    if (isOwn) session.signIn(made.apiKey)
    close()
    reload()
  }
  const working = keys?.filter(({ endedAt }) => endedAt === null) ?? []
  const ended = keys?.filter(({ endedAt }) => endedAt !== null) ?? []
  return (
    <>
      <PageHeading
        title="Keys"
        actions={
          <Button kind="primary" onClick={() => setOpen({ dialog: 'create' })}>
            <Icon name="plus" />
            Create a key
          </Button>
        }
      >
        Game servers use a key with the scope Read. Keys belong on servers, never inside a game.
      </PageHeading>
      <div class="stack">
        <LoadState loaded={loaded} label="Loading the keys…" />
        {keys && (
          <KeyList
            keys={working}
            ownKeyId={own?.keyId}
            actions={{
              rotate: (key) => setOpen({ dialog: 'rotate', key }),
              revoke: (key) => setOpen({ dialog: 'revoke', key }),
            }}
          />
        )}
        {ended.length > 0 && (
          <details class="ended-keys">
            <summary class="soft">No longer working ({ended.length}), for 90 days</summary>
            <KeyList keys={ended} />
          </details>
        )}
      </div>
      {open?.dialog === 'create' && (
        <CreateKeyDialog onCreated={(made) => show(made)} onClose={close} />
      )}
      {open?.dialog === 'rotate' && (
        <RotateKeyDialog
          listedKey={open.key}
          isOwn={open.key.keyId === own?.keyId}
          onClose={close}
          onRotated={(made) => show(made, open.key.keyId === own?.keyId)}
        />
      )}
      {open?.dialog === 'revoke' && (
        <RevokeKeyDialog
          listedKey={open.key}
          isOwn={open.key.keyId === own?.keyId}
          onClose={close}
          onRevoked={({ label }) => {
            close()
            announce(`The key ${isolated(label)} was revoked.`)
            reload()
          }}
        />
      )}
    </>
  )
}
