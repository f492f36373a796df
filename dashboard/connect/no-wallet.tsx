import { useMemo } from 'preact/hooks'
import encodeQR from 'qr'
import { Button, CopyButton } from '../components/button.tsx'
import { pageAddress } from './code-in-address.ts'
import { Card } from './heading.tsx'
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
  <div class="stack is-close">
    <p>{own.phoneSteps}</p>
    <QrCode text={address} label={own.qrCode} />
    <div class="secret">
      <code>{pageAddress()}</code>
      <CopyButton text={pageAddress()} what={own.address} />
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
