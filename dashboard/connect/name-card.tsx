import { useEffect, useRef, useState } from 'preact/hooks'
import { Button } from '../components/button.tsx'
import { TextField } from '../components/field.tsx'
import { ForeignText } from '../components/foreign-text.tsx'
import { Form } from '../components/form.tsx'
import { announce } from '../shell/announcer.tsx'
import { useAction } from '../shell/use-action.ts'
import { Card, Trouble } from './parts.tsx'
import { type AccountProps, isUnnamed, proofOf } from './sign-in.ts'
import { signerAmong } from './signer.ts'

/** The name of the user, which a signature of one of the user's wallets changes. */
export function NameCard({ signedIn, client, onChange }: AccountProps) {
  const { user, wallet } = signedIn
  const isNew = isUnnamed(user.username)
  const [isOpen, setIsOpen] = useState(isNew)
  const [name, setName] = useState(isNew ? '' : user.username)
  const [isMissing, setIsMissing] = useState(false)
  const form = useRef<HTMLDivElement>(null)
  const change = () => {
    setName(user.username)
    setIsOpen(true)
  }
  useEffect(() => {
    // A new user begins at the heading of the view.
    if (isOpen && !isNew) form.current?.querySelector('input')?.focus()
  }, [isOpen])
  const saving = useAction(async () => {
    const proof = await proofOf(await signerAmong(wallet, user.wallets), client)
    onChange({ ...signedIn, ...(await client.signIn({ ...proof, username: name.trim() })) })
    setIsOpen(false)
    announce('The name is saved.')
  })
  return (
    <Card title="Your name">
      {!isOpen && (
        <div class="connect-row spread">
          <strong>
            <ForeignText text={user.username} max={100} />
          </strong>
          <Button onClick={change}>Change the name</Button>
        </div>
      )}
      <p class="soft">
        {isNew
          ? 'Games show the short address of your wallet, until you choose a name.'
          : 'Games show this name.'}
      </p>
      {isOpen && (
        <div ref={form}>
          <Form
            onSubmit={() => {
              setIsMissing(name.trim() === '')
              if (name.trim() !== '') void saving.run()
            }}
          >
            <TextField
              label="Name"
              hint="Your wallet asks you to sign once more."
              error={isMissing ? 'Enter a name.' : undefined}
              maxLength={100}
              value={name}
              onValue={setName}
            />
            <Trouble error={saving.error} />
            <div class="actions">
              <Button
                kind={isNew ? 'primary' : 'secondary'}
                type="submit"
                isBusy={saving.isRunning}
              >
                Save the name
              </Button>
              {!isNew && <Button onClick={() => setIsOpen(false)}>Cancel</Button>}
            </div>
          </Form>
        </div>
      )}
    </Card>
  )
}
