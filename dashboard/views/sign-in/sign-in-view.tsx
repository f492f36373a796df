import { useState } from 'preact/hooks'
import { Button } from '../../components/button.tsx'
import { TextField } from '../../components/field.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import { navigate, useQuery } from '../../shell/location.ts'
import { useShell } from '../../shell/shell-context.ts'

/** The page Sign in. */
export function SignInView() {
  const { session, config } = useShell()
  const query = useQuery()
  const [apiKey, setApiKey] = useState('')
  const open = (key: string) => {
    session.signIn(key)
    navigate(query.get('to') ?? '/nfts', { replace: true })
  }
  return (
    <>
      <PageHeading title="Sign in">Work with your product and its NFTs.</PageHeading>
      <form
        class="form"
        onSubmit={(event) => {
          event.preventDefault()
          open(apiKey.trim())
        }}
      >
        <TextField label="API key" type="password" value={apiKey} onValue={setApiKey} required />
        <div class="actions">
          <Button kind="primary" type="submit">
            Sign in
          </Button>
          {config.sampleApiKey && (
            <Button onClick={() => open(config.sampleApiKey ?? '')}>Open the sample product</Button>
          )}
        </div>
      </form>
    </>
  )
}
