import { useState } from 'preact/hooks'
import type { Product } from '../../../clients/typescript/src/types.ts'
import { Button, CopyButton } from '../../components/button.tsx'
import { LoadState, Notice } from '../../components/feedback.tsx'
import { TextField } from '../../components/field.tsx'
import { FormDialog, useForm } from '../../components/form.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import { useClient, useProduct, useShell } from '../../shell/shell-context.ts'
import { ClientAccess, ProductSettings } from './product-settings.tsx'

/** The page Product: what is registered of the product, and its deletion. */
export function ProductView() {
  const loaded = useProduct()
  return (
    <>
      <PageHeading title="Game">
        The details of your game. In the API, a game is called a product.
      </PageHeading>
      <div class="stack">
        <LoadState loaded={loaded} label="Loading the game…" />
        {loaded.data && <Loaded product={loaded.data} />}
      </div>
    </>
  )
}

function Loaded({ product }: { product: Product }) {
  const [isDeleting, setIsDeleting] = useState(false)
  return (
    <>
      <section class="card stack is-close" aria-labelledby="product-id">
        <h2 id="product-id">Product id</h2>
        <p class="soft">
          The id of your game, which is no secret. The login of your players names it to get player
          tokens for your game, and a game without an API key sends it with each request.
        </p>
        <div class="secret line">
          <code>{product.productId}</code>
          <CopyButton text={product.productId} what="the product id" />
        </div>
      </section>
      <section class="card" aria-labelledby="registration">
        <h2 id="registration">Registration</h2>
        <ProductSettings product={product} />
      </section>
      <ClientAccess product={product} />
      <section class="card spread" aria-labelledby="delete">
        <div>
          <h2 id="delete">Delete the game</h2>
          <p class="soft">
            Revokes all its API keys at once, and deletes everything that is stored about it.
          </p>
        </div>
        <Button kind="danger" onClick={() => setIsDeleting(true)}>
          Delete…
        </Button>
      </section>
      {isDeleting && <DeleteProductDialog product={product} onClose={() => setIsDeleting(false)} />}
    </>
  )
}

function DeleteProductDialog({
  product: { name },
  onClose,
}: {
  product: Product
  onClose: () => void
}) {
  const { session } = useShell()
  const client = useClient()
  const [typed, setTyped] = useState('')
  const remove = useForm(async () => {
    await client.deleteProduct({ confirm: name })
    session.end('deleted')
  })
  return (
    <FormDialog
      title="Delete the game?"
      action="Delete for good"
      kind="danger"
      form={remove}
      isDisabled={typed !== name}
      onClose={onClose}
    >
      <Notice kind="warning" title="Nobody can restore it">
        <p>
          The game finds no NFTs any more from its next request on. The keys, the allowlists and the
          events of <bdi class="foreign">{name}</bdi> are deleted.
        </p>
      </Notice>
      <TextField
        label="Type the name of the game to confirm"
        value={typed}
        onValue={setTyped}
        spellcheck={false}
      />
    </FormDialog>
  )
}
