import { useState } from 'preact/hooks'
import type { Product } from '../../../clients/typescript/src/types.ts'
import { Button } from '../../components/button.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { Failure } from '../../components/failure.tsx'
import { PageHeading } from '../../components/page-heading.tsx'
import { Progress } from '../../components/progress.tsx'
import { useProduct } from '../../shell/product.ts'
import { ClientAccess } from './client-access.tsx'
import { DeleteProductDialog } from './delete-product-dialog.tsx'
import { ProductSettings } from './product-settings.tsx'

/** The page Product: what is registered of the product, and its deletion. */
export function ProductView() {
  const { data: product, error, isLoading, reload } = useProduct()
  return (
    <>
      <PageHeading title="Game">
        The details of your game. In the API, a game is called a product.
      </PageHeading>
      <div class="stack">
        {error !== undefined && <Failure error={error} retry={reload} />}
        {!product && isLoading && <Progress label="Loading the game…" />}
        {product && <Loaded product={product} />}
      </div>
    </>
  )
}

function Loaded({ product }: { product: Product }) {
  const [isDeleting, setIsDeleting] = useState(false)
  return (
    <>
      <section class="card product-id" aria-labelledby="product-id">
        <h2 id="product-id">Product id</h2>
        <p class="soft">
          The id of your game, which is no secret. The login of your players names it to get player
          tokens for your game, and a game without an API key sends it with each request.
        </p>
        <div class="secret">
          <code>{product.productId}</code>
          <CopyButton text={product.productId} what="the product id" />
        </div>
      </section>
      <section class="card" aria-labelledby="registration">
        <h2 id="registration">Registration</h2>
        <ProductSettings product={product} />
      </section>
      <ClientAccess product={product} />
      <section class="card delete-product" aria-labelledby="delete">
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
