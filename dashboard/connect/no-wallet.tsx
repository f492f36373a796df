import { useMemo } from 'preact/hooks'
import encodeQR from 'qr'
import { Button, CopyButton } from '../components/button.tsx'
import { pageAddress } from './code-in-address.ts'
import { Card } from './parts.tsx'

/** What to do without a wallet in this browser. `address`: that of this page, for a phone. */
export const NoWallet = ({ address }: { address: string }) => (
  <Card title="There is no wallet in this browser">
    <p>A wallet is the app in which you keep your NFTs. Where is yours?</p>
    <h3>On your phone</h3>
    <OnPhone address={address} />
    <h3>On this computer</h3>
    <p>Install the extension of your wallet for this browser, and load this page again.</p>
    <div class="actions">
      <Button onClick={() => location.reload()}>Load the page again</Button>
    </div>
  </Card>
)

/** How to open the page in the browser of a wallet app. The code of a game is in the QR code only: it is typed otherwise. */
export const OnPhone = ({ address }: { address: string }) => (
  <div class="stack is-close">
    <p>
      Open your wallet app, and in it its browser. Scan this code there, or enter the address of
      this page.
    </p>
    <QrCode text={address} label="QR code of the address of this page" />
    <div class="secret">
      <code>{pageAddress()}</code>
      <CopyButton text={pageAddress()} what="the address of this page" />
    </div>
  </div>
)

/** The white border that readers need, in modules. */
const border = 4

/** A QR code of a text. `label` says to screen readers what it is. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, path } = useMemo(() => drawingOf(text), [text])
  return (
    <svg class="qr-code" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`}>
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  )
}

function drawingOf(text: string): { size: number; path: string } {
  const rows = encodeQR(text, 'raw', { border })
  const squares = rows.flatMap((row, y) =>
    row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')),
  )
  return { size: rows.length, path: squares.join('') }
}
