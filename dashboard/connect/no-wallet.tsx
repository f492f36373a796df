import { Button } from '../components/button.tsx'
import { CopyButton } from '../components/copy-button.tsx'
import { Card } from './card.tsx'
import { pageAddress } from './code-in-address.ts'
import { QrCode } from './qr-code.tsx'
import { texts } from './texts.ts'

const own = texts.noWallet

/** What to do without a wallet in this browser. `address`: that of this page, for a phone. */
export const NoWallet = ({ address }: { address: string }) => (
  <Card title={own.title}>
    <p>{own.lead}</p>
    <h3>{own.phone}</h3>
    <OnPhone address={address} />
    <h3>{own.computer}</h3>
    <p>{own.computerSteps}</p>
    <div class="actions">
      <Button onClick={() => location.reload()}>{own.reload}</Button>
    </div>
  </Card>
)

/** How to open the page in the browser of a wallet app. The code of a game is in the QR code only: it is typed otherwise. */
export const OnPhone = ({ address }: { address: string }) => (
  <div class="connect-part">
    <p>{own.phoneSteps}</p>
    <QrCode text={address} label={own.qrCode} />
    <div class="secret">
      <code>{pageAddress()}</code>
      <CopyButton text={pageAddress()} what={own.address} />
    </div>
  </div>
)
