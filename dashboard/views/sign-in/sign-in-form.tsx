import { useState } from 'preact/hooks'
import { Button } from '../../components/button.tsx'
import { Failure } from '../../components/failure.tsx'
import { TextField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { clientWithKey } from '../../shell/client.ts'
import { describeError } from '../../shell/describe-error.ts'
import { useShell } from '../../shell/shell-context.ts'
import { useAction } from '../../shell/use-action.ts'

/** Signs in with a key that can manage its product. A call verifies the key first. */
export function SignInForm() {
  const { session } = useShell()
  const [typed, setTyped] = useState('')
  const apiKey = typed.trim()
  const signIn = useAction(async (signal) => {
    await clientWithKey(apiKey).getProduct({ signal })
    session.signIn(apiKey)
  })
  const fault = faultOf(apiKey, signIn.error)
  return (
    <Form
      onSubmit={() => {
        void signIn.run()
      }}
    >
      <TextField
        label="API key"
        hint="A key that can manage the game. It stays in this browser tab until you sign out or close the tab."
        type="password"
        spellcheck={false}
        value={typed}
        onValue={(value) => {
          signIn.clear()
          setTyped(value)
        }}
        error={fault}
      />
      {signIn.error !== undefined && !fault && <Failure error={signIn.error} />}
      <div class="actions">
        <Button kind="primary" type="submit" isBusy={signIn.isRunning} disabled={apiKey === ''}>
          Sign in
        </Button>
      </div>
    </Form>
  )
}

/** Says what is wrong with the key itself. Other failures have nothing to do with it. */
function faultOf(apiKey: string, error: unknown): string | undefined {
  if (error === undefined) return undefined
  const { code } = describeError(error)
  if (code === 'insufficient_scope') {
    return 'This key has the scope READ: game servers can read the NFTs of players with it. Sign in with a key that has the scope MANAGE.'
  }
  if (code !== 'invalid_api_key') return undefined
  return /^(pnk_\w{52}|[0-9a-f-]{36})$/i.test(apiKey)
    ? 'The service does not know this key, or it was revoked or has expired.'
    : 'This is not an API key. A key begins with pnk_, or is a UUID.'
}
