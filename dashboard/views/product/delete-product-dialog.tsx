import { useState } from 'preact/hooks'
import type { Product } from '../../../clients/typescript/src/types.ts'
import { Button } from '../../components/button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { TextField } from '../../components/field.tsx'
import { Form } from '../../components/form.tsx'
import { Notice } from '../../components/notice.tsx'
import { useClient } from '../../shell/client.ts'
import { useShell } from '../../shell/shell-context.ts'
import { useAction } from '../../shell/use-action.ts'

/** Deletes a product, after the user has typed its name. */
export function DeleteProductDialog({
  product: { name },
  onClose,
}: {
  product: Product
  onClose: () => void
}) {
  const { session } = useShell()
  const client = useClient()
  const [typed, setTyped] = useState('')
  const remove = useAction(async () => {
    await client.deleteProduct({ confirm: name })
    session.end('deleted')
  })
  return (
    <Dialog title="Delete the game?" onClose={onClose}>
      <Form
        onSubmit={() => {
          if (typed === name) void remove.run()
        }}
      >
        <Notice kind="warning" title="Nobody can restore it">
          <p>
            The game finds no NFTs any more from its next request on. The keys, the allowlists and
            the events of <bdi class="foreign">{name}</bdi> are deleted.
          </p>
        </Notice>
        <TextField
          label="Type the name of the game to confirm"
          value={typed}
          onValue={setTyped}
          spellcheck={false}
        />
        {remove.error !== undefined && <Failure error={remove.error} />}
        <div class="actions">
          <Button kind="danger" type="submit" isBusy={remove.isRunning} disabled={typed !== name}>
            Delete for good
          </Button>
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </Form>
    </Dialog>
  )
}
