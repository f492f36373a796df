import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { PlayerNfts } from '../../clients/typescript/src/client.ts'
import type { DeviceRequest } from '../../clients/typescript/src/types.ts'
import { Button } from '../components/button.tsx'
import { Notice } from '../components/feedback.tsx'
import { CheckField, TextField } from '../components/field.tsx'
import { ForeignText, isolated } from '../components/foreign-text.tsx'
import { Form } from '../components/form.tsx'
import { timeAgo } from '../shell/time-text.ts'
import { useAction } from '../shell/use-action.ts'
import { useNow } from '../shell/use-now.ts'
import { Card, Heading, Trouble } from './parts.tsx'

/** How many letters of a code the user types at least if the page does not show it (D114). */
const typedLength = 4

/**
 * What a game asks for, and the decision. The code is shown, to be compared, only if the game has asked from the network of the user:
 * otherwise the user types the end of it from the screen of the game.
 */
export function DeviceDecision({
  request,
  client,
  leave,
  onDecided,
}: {
  request: DeviceRequest
  client: PlayerNfts
  /** The way out, when a decision has failed. */
  leave: ComponentChildren
  onDecided: (request: DeviceRequest) => void
}) {
  const { userCode, product, isSameNetwork } = request
  const [isCompared, setIsCompared] = useState(false)
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<string>()
  const deciding = useAction(async (_, approve: boolean) =>
    onDecided(await client.decideDeviceRequest({ userCode, approve })),
  )
  const approve = () => {
    const letters = lettersOf(typed)
    // Whoever types the whole code sees it too.
    const isTyped = letters.length >= typedLength && lettersOf(userCode).endsWith(letters)
    const isRight = isSameNetwork ? isCompared : isTyped
    setFault(
      isRight
        ? undefined
        : letters
          ? 'Your game shows another code. If it shows none, say no.'
          : 'Enter the four letters that your game shows. If it shows no code, say no.',
    )
    if (isRight) void deciding.run(true)
  }
  return (
    <div class="stack">
      <Heading title={`Give ${isolated(product.name)} access?`} />
      <Card title="Who asks">
        <Facts request={request} />
        <Learns />
      </Card>
      {!isSameNetwork && (
        <Notice kind="warning" title="Are you in front of this game?">
          <p>
            The code was asked for from another network than yours, or by a web page. That is right
            if you play on one network and read this on another, such as that of your phone. If
            somebody has sent you a link or a code, or a web page that is not your game has led you
            here, say no: somebody else would get access in your place.
          </p>
        </Notice>
      )}
      <Form onSubmit={approve}>
        {isSameNetwork ? (
          <CheckField isChecked={isCompared} onChecked={setIsCompared}>
            My game shows this code now.
            <span class="hint">
              Compare all eight letters. If your game shows another code or none, say no.
            </span>
          </CheckField>
        ) : (
          <TextField
            label="The last four letters of the code in your game"
            hint="This page does not show them. Look at the screen of the game."
            error={fault}
            maxLength={9}
            spellcheck={false}
            value={typed}
            onValue={setTyped}
          />
        )}
        <Trouble error={deciding.error} />
        <div class="actions">
          <Button
            kind="primary"
            type="submit"
            disabled={isSameNetwork && !isCompared}
            isBusy={deciding.isRunning}
          >
            Yes, give access
          </Button>
          <Button isBusy={deciding.isRunning} onClick={() => void deciding.run(false)}>
            No
          </Button>
        </div>
      </Form>
      {deciding.error !== undefined && leave}
    </div>
  )
}

function Facts({ request }: { request: DeviceRequest }) {
  const { product, userCode, askedAt, isSameNetwork } = request
  const now = useNow(30_000)
  return (
    <dl class="facts">
      <dt>Game</dt>
      <dd>
        <ForeignText text={product.name} max={100} />
      </dd>
      <dt>Company</dt>
      <dd>
        <ForeignText text={product.companyName} max={100} />
      </dd>
      {isSameNetwork && (
        <>
          <dt>Code</dt>
          <dd>
            <strong class="mono device-code">{userCode}</strong>
          </dd>
        </>
      )}
      <dt>Asked</dt>
      <dd>
        {timeAgo(Date.parse(askedAt), now)},{' '}
        {isSameNetwork ? 'from your network' : 'from another network, or by a web page'}
      </dd>
    </dl>
  )
}

const Learns = () => (
  <div class="device-learns stack is-dense">
    <h3>For 30 days, this game can see</h3>
    <ul>
      <li>your name and your player number</li>
      <li>the addresses of your wallets</li>
      <li>
        the NFTs in them that the game supports, and how much of the token of this service is in
        them
      </li>
    </ul>
    <p class="soft">It cannot move anything out of your wallets.</p>
  </div>
)

/** The letters of a code as it is compared: in any case, with spaces and dashes anywhere (D101). */
const lettersOf = (code: string): string => code.toUpperCase().replaceAll(/[^A-Z]/g, '')
